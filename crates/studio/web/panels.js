// The panels, in the order of their tabs.

import { createPlanPanel } from "studio/panel_plan.js";

/** @type {((studio: import("studio/app.js").Studio) => import("studio/app.js").Panel)[]} */
export const PANELS = [createPlanPanel];
