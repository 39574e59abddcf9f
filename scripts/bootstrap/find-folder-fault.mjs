/* Runs on Node.js 18 or later. */

/**
 * Tailwind's resolver takes a `#` for the beginning of a fragment.
 * @param {string} folder absolute
 */
export function findFolderFault(folder) {
  if (!folder.includes("#")) return undefined;
  return `The path ${folder} has a "#", with which the application cannot be built. Rename the folder that has it, or use another.`;
}
