/** A picture in a parameter of an address: base64, in the alphabet of addresses. Pure. */

/** The picture in a `data:` address, for a parameter of an address. @param {string} uri */
export const forAddress = (uri) =>
  uri
    .slice(uri.indexOf(",") + 1)
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");

/** The `data:` address of a picture in a parameter. Browsers find out its format. @param {string} picture */
export const dataAddress = (picture) =>
  `data:image/png;base64,${picture.replaceAll("-", "+").replaceAll("_", "/")}`;
