/** The words of the output as buttons, one for each row. */

/** Marks the current row; while playing, the rows after it are hidden. @param {HTMLElement[]} pieces @param {number} row @param {boolean} playing */
export function markCurrent(pieces, row, playing) {
  pieces.forEach((piece, index) => {
    // Compared by identity: rows may share a piece.
    const current = piece === pieces[row];
    piece.tabIndex = current ? 0 : -1;
    piece.toggleAttribute("data-unwritten", playing && index > row && !current);
    if (current) piece.setAttribute("aria-current", "step");
    else piece.removeAttribute("aria-current");
  });
}
