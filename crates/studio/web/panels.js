// The panels, in the order of their tabs.

import { createCleanupPanel } from "studio/panel_cleanup.js";
import { createGaitPanel } from "studio/panel_gait.js";
import { createPlanPanel } from "studio/panel_plan.js";

/** @type {((studio: import("studio/app.js").Studio) => import("studio/app.js").Panel)[]} */
export const PANELS = [createPlanPanel, createGaitPanel, createCleanupPanel];
