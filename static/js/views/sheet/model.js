/** The arrangement of the panels of all words: as large as the room allows. Pure. */

/**
 * The number of columns with which the panels are largest, and the width of a photo.
 * @param {number} count @param {{width: number, height: number}} room
 * @param {{aspect: number, name: number}} panel the shape of a photo, and the height of its name
 * @param {{column: number, row: number}} gap between panels
 */
export function arranged(count, room, { aspect, name }, gap) {
  const sizes = Array.from({ length: Math.max(count, 1) }, (_, index) => {
    const columns = index + 1;
    const lines = Math.ceil(count / columns);
    const wide = (room.width - gap.column * index) / columns;
    const high = (room.height + gap.row) / lines - gap.row - name;
    return { columns, width: Math.floor(Math.min(wide, high * aspect)) };
  });
  return sizes.reduce((best, size) => (size.width > best.width ? size : best));
}
