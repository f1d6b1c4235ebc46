/** The settings of the page of patches, to and from the address bar. Pure. */

import { EDIT_FIELDS, headFields, pageAddress, scaleField } from "./page_fields.js";

export const PATCH_STATE = pageAddress("patches", "/see", ["sample"], {
  scale: scaleField("row"),
  ...headFields(["mean", "max", "rollout"]),
  ...EDIT_FIELDS,
});
