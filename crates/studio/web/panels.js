// The panels, in the order of their tabs.

import { createCleanupPanel } from "studio/panel_cleanup.js";
import { createCrowdPanel } from "studio/panel_crowd.js";
import { createDatabasePanel } from "studio/panel_database.js";
import { createGaitPanel } from "studio/panel_gait.js";
import { createPlanPanel } from "studio/panel_plan.js";
import { createScenePanel } from "studio/panel_scene.js";
import { createSignalPanel } from "studio/panel_signal.js";

/** @type {((studio: import("studio/app.js").Studio) => import("studio/app.js").Panel)[]} */
export const PANELS = [
  createPlanPanel,
  createGaitPanel,
  createCleanupPanel,
  createSignalPanel,
  createDatabasePanel,
  createScenePanel,
  createCrowdPanel,
];
