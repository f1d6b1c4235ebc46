/** One answer to “Why does it look like this?”, and what its rules share. Pure. */

/** @import {Edit, Item, Model, Scene, Settings} from "./types" */

import { refusalOf } from "./edit_list.js";

/** @typedef {{row: number, column: number}} Cell */
/**
 * @typedef {object} Finding
 * @property {string} id @property {string} title
 * @property {string} says the fact, with its numbers
 * @property {string} because
 * @property {{text: string, url: string}} source
 * @property {Cell[]} cells that show it
 * @property {{edit: Edit} | {change: Partial<Settings>, name: string} | null} attempt
 */
/**
 * The map on screen.
 * @typedef {object} Shown
 * @property {Scene} scene of a text, or of a picture
 * @property {number[][]} weights @property {Item[]} rows @property {Item[]} columns
 * @property {Model[]} models those that are installed
 */

/** @param {string} text @param {string} id of arXiv */
export const arxiv = (text, id) => ({ text, url: `https://arxiv.org/abs/${id}` });

/** The largest place of a row. @param {number[]} row */
export const top = (row) => row.indexOf(Math.max(...row));

/** An edit of the map on screen, where it can be edited. @param {Shown} shown @param {() => Edit} made @returns {Finding["attempt"]} */
export const attempt = ({ scene, models }, made) =>
  models.length && !refusalOf(scene) && scene.pick === 0 ? { edit: made() } : null;
