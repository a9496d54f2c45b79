import { make } from "surefoot/controls.js";
/** @param {import("studio/app.js").Studio} studio @returns {import("studio/app.js").Panel} */
export function createPlanPanel(studio) {
  const { plan, view } = studio;
  const text = make("p");
  const show = () => {
    if (plan.solved) view.present("plan", plan.solved.document);
  };
  plan.listeners.push((what) => {
    text.textContent = `${plan.prints.length} footprints`;
    if (what === "solved" && studio.front?.id === "plan") show();
  });
  return { id: "plan", label: "Plan", element: make("div", {}, text), open: show, name: () => "walk" };
}
