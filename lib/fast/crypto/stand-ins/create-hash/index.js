/*
 * Stands in for create-hash (docs/decisions/0012): on Node that package is this very function, and only its
 * browser form needs the forty packages that it brings.
 */
module.exports = require("node:crypto").createHash;
