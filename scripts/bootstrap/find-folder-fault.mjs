/* Whether an application can be built in a folder. Runs on any Node >= 18. */

/**
 * Returns the fault of a folder's path and the fix, or undefined. Tailwind's resolver reads a `#` as
 * the beginning of a fragment.
 *
 * @param {string} folder absolute
 */
export function findFolderFault(folder) {
  if (!folder.includes("#")) return undefined;
  return `The path ${folder} has a "#", with which the application cannot be built. Rename the folder that has it, or use another.`;
}
