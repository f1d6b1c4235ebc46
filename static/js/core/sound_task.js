/** The task of a model that hears. Pure. */

/** @import {Model} from "./types" */

/** @param {Pick<Model, "task">} model */
export const hears = ({ task }) => task === "transcribe";
