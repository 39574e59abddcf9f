/* Checks whether an application can be built in a folder. Runs on Node.js 18 or later. */

/**
 * Returns what is wrong with a folder's path and how to fix it, or undefined. Tailwind's resolver takes a `#` for the
 * beginning of a fragment.
 * @param {string} folder absolute
 */
export function findFolderFault(folder) {
  if (!folder.includes("#")) return undefined;
  return `The path ${folder} has a "#", with which the application cannot be built. Rename the folder that has it, or use another.`;
}
