/** Errors with a sentence for the user. Pure. */

/** A file that cannot be imported; the message names the row and the column. */
export class ImportError extends Error {}

/** Nothing was exported; the message says why. */
export class ExportRefused extends Error {}
