// Does in the studio's panels what a person does there, and compares what they write with what the command writes.
//
//   node tools/browser/studio_panels.mjs BINARY CHROMIUM [FOLDER_FOR_SCREENSHOTS]
//
// Needs the npm package playwright-core, as player.mjs does.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { drawnCharacter, writeCharacter } from "./character.mjs";

const [binary, chromiumPath, shots, only] = process.argv.slice(2);
const require = createRequire(join(process.env.SUREFOOT_NODE_MODULES ?? process.cwd(), "package.json"));
const { chromium } = require("playwright-core");

/** Milliseconds that anything may take: with the debug build on a machine that others load, seconds become minutes. */
const PATIENCE = 300_000;

const folder = mkdtempSync(join(tmpdir(), "surefoot-panels-"));
const work = join(folder, "work");
mkdirSync(work);
const inWork = (name) => join(work, name);
const surefoot = (...args) =>
  execFileSync(binary, args, { cwd: work, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
/** Runs a command as the page shows it. */
const shell = (line) =>
  execFileSync("sh", ["-c", line.replaceAll("surefoot ", `'${binary}' `)], { cwd: work, stdio: "ignore" });

async function startStudio() {
  const server = spawn(binary, ["studio", "--no-open"], {
    cwd: work,
    env: { ...process.env, XDG_STATE_HOME: join(folder, "state") },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const url = await new Promise((done, failed) => {
    server.stdout.once("data", (data) => done(String(data).trim()));
    server.once("exit", (code) => failed(new Error(`the studio ended with ${code}`)));
  });
  return { server, url };
}

/** A window with one panel in front; what its console complains of is an error of the test. */
async function openPanel(browser, url, panel) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  page.setDefaultTimeout(PATIENCE);
  const complaints = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type()) && !message.text().includes("GPU stall"))
      complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  await page.goto(url);
  await page.locator(`#tab-${panel}`).click();
  return { page, complaints };
}

const settle = (page) =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))));
/** Until the panel in front shows what its controls say. */
async function idle(page) {
  await page.waitForFunction(() => window.studio.front.isIdle(), null, { timeout: PATIENCE });
  await settle(page);
}
/** Light and dark, for looking at. */
async function shoot(page, name) {
  if (!shots) return;
  await settle(page);
  await page.screenshot({ path: join(shots, `${name}-light.png`) });
  await page.locator("#theme").click();
  await settle(page);
  await page.waitForTimeout(150);
  await page.screenshot({ path: join(shots, `${name}-dark.png`) });
  await page.locator("#theme").click();
}
const front = (page) => page.locator("[role=tabpanel]:not([hidden])");
const commandOf = (page) => page.evaluate(() => window.studio.front.commandLine());
/** A motion of the picture: how many frames, and where a joint of an actor is in one. */
const framesOf = (page, actor = 0) => page.evaluate((actor) => window.studio.view.show.actors[actor].frames, actor);
/** Sets a slider as a person does who types its number. */
async function setSlider(page, label, value) {
  const panel = front(page);
  const field = panel.getByLabel(label, { exact: true }).and(page.locator("input[type=number]"));
  const box = (await field.count()) > 0 ? field : panel.locator(`input[type=number][aria-label^="${label} in "]`);
  await box.first().fill(String(value));
  await box.first().press("Tab");
}

/** A motion and a character of somebody else's. */
function writeMotions() {
  surefoot("gait", "walk", "--steps", "4", "-o", "ours.glb");
  writeCharacter(inWork("ours.glb"), inWork("me.glb"));
  surefoot("gait", "run", "--steps", "6", "-o", "run.bvh");
}

/** Saves or exports as a file of the folder. */
async function saveAs(page, name) {
  await page.keyboard.press("Escape");
  await page.locator("#save").click();
  await page.locator("dialog[open] input.name").fill(name);
  await page.locator("dialog[open] button.primary").click();
  await page.getByText(`${name} was written.`).waitFor({ timeout: PATIENCE });
}
async function exportAs(page, kind, name) {
  await page.locator("#export").click();
  await page.locator("dialog[open] .kinds label").filter({ hasText: kind }).first().click();
  await page.locator("dialog[open] input.name").fill(name);
  const command = await page.locator("dialog[open] .copyable code").textContent();
  await page.locator("dialog[open] button.primary").click();
  await page.getByText(`${name} was written.`).waitFor({ timeout: PATIENCE });
  return command;
}
/** Whether a file that the page wrote has the bytes of the one that a command writes. */
function sameAsCommand(written, command, named) {
  const ours = readFileSync(inWork(written));
  rmSync(inWork(named), { force: true });
  shell(command);
  assert.ok(ours.equals(readFileSync(inWork(named))), `${written} is what \`${command}\` writes`);
}

async function checkGait(browser, url) {
  const { page, complaints } = await openPanel(browser, url, "gait");
  await idle(page);
  const reported = () => page.evaluate(() => window.studio.front.report());
  const natural = await reported();
  assert.equal(natural.gait, "walk");
  assert.ok(natural.diagrams[0].hip_degrees.length >= 100, "the diagram has a stride");
  assert.match(await page.locator("#panel-gait canvas.diagram").getAttribute("aria-label"), /hip -?\d+ to \d+ degrees/);
  const catalogue = JSON.parse(surefoot("gait", "list", "--json")).result;
  const COURSE = 8;
  const wanted = ({ parameters, attributes }) =>
    parameters.length + attributes.filter((one) => one.values === null).length + COURSE;
  const sliders = () => page.locator("#panel-gait input[type=range]").count();
  assert.equal(await sliders(), wanted(catalogue.walk), "a slider for each number of a walk");

  // A slider is a motion.
  await setSlider(page, "Speed", 6.5);
  await idle(page);
  let now = await reported();
  assert.ok(Math.abs(now.parameters.speed_km_per_hour - 6.5) < 1e-9);
  assert.ok(now.parameters.step_length > natural.parameters.step_length, "faster steps are longer");
  await setSlider(page, "Arm swing", 1.6);
  await idle(page);
  now = await reported();
  assert.equal(now.attributes["arm-swing"], 1.6);
  assert.ok(now.set.includes("arm-swing"));
  const joint = (report) => report.attributes["arm-swing"];
  assert.notEqual(joint(now), joint(natural));

  // Dragged quickly: answers come in order, the last one is shown.
  const range = page.locator('#panel-gait input[type=range][aria-label="Speed"]');
  await range.scrollIntoViewIfNeeded();
  const box = await range.boundingBox();
  await page.mouse.move(box.x + box.width * 0.2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.55, box.y + box.height / 2, { steps: 25 });
  await page.mouse.up();
  await idle(page);
  const asked = Number(await range.inputValue());
  assert.ok(Math.abs((await reported()).parameters.speed_km_per_hour - asked) < 1e-9, "the last of a drag is shown");

  // What is saved is what the command that is shown writes.
  await saveAs(page, "mine.bvh");
  const line = await commandOf(page);
  assert.match(line, /^surefoot gait walk --speed [\d.]+km\/h --set arm-swing=1.6 --steps 12 -o /);
  sameAsCommand("mine.bvh", line.replace(/-o \S+$/, "-o theirs.bvh"), "theirs.bvh");

  // Undo, then a preset, mixed with another.
  await page.locator("#undo").click();
  await idle(page);
  assert.ok(Math.abs((await reported()).parameters.speed_km_per_hour - 6.5) < 1e-9, "undo takes the drag back");
  await page.keyboard.press("0");
  await idle(page);
  await front(page).getByLabel("Preset", { exact: true }).selectOption("tired");
  await idle(page);
  assert.equal((await reported()).style, "tired");
  await front(page).getByLabel("Mix with", { exact: true }).selectOption("proud");
  await idle(page);
  assert.match(await commandOf(page), /--preset tired --preset proud/);

  // A recording: its diagram is laid over, and a gait is fitted to it.
  await page.keyboard.press("0");
  await idle(page);
  surefoot("gait", "walk", "--speed", "4km/h", "--steps", "14", "--preset", "happy", "-o", "person.bvh");
  await front(page).getByLabel("Compare with", { exact: true }).first().focus();
  await page
    .locator('#panel-gait select[aria-label="Compare with"] option[value="person.bvh"]')
    .waitFor({ state: "attached" });
  await page.locator('#panel-gait select[aria-label="Compare with"]').selectOption("person.bvh");
  await page.locator("#panel-gait .names b").filter({ hasText: "person" }).waitFor();
  await shoot(page, "gait");
  await page.locator('#panel-gait select[aria-label="Fit to"]').focus();
  await page
    .locator('#panel-gait select[aria-label="Fit to"] option[value="person.bvh"]')
    .waitFor({ state: "attached" });
  await page.locator('#panel-gait select[aria-label="Fit to"]').selectOption("person.bvh");
  await page.getByText("a walk fitted to").waitFor({ timeout: PATIENCE });
  await idle(page);
  assert.ok(Math.abs((await reported()).parameters.speed_km_per_hour - 4) < 0.6, "the fitted gait is as fast");

  // A run; what cannot be says so, and the picture stays.
  await page.locator("#picture").focus();
  await page.keyboard.press("g");
  await idle(page);
  assert.equal((await reported()).gait, "run");
  assert.equal(await sliders(), wanted(catalogue.run), "a slider for each number of a run");
  await setSlider(page, "Speed", 30);
  await idle(page);
  await setSlider(page, "Step length", 0.3);
  await idle(page);
  assert.match(await page.locator("#panel-gait .refusal").textContent(), /needs a cadence of 1667 steps/);
  await page.locator("#undo").click();
  await idle(page);
  assert.equal(await page.locator("#panel-gait .refusal").isVisible(), false);
  await exportAs(page, "Plan", "run.plan.json");
  assert.equal(JSON.parse(readFileSync(inWork("run.plan.json"), "utf8")).footprints.length > 8, true);
  await shoot(page, "gait-run");
  assert.deepEqual(complaints, []);
  await page.close();
}

async function checkCleanup(browser, url) {
  surefoot("gait", "walk", "--steps", "8", "--speed", "4km/h", "-o", "clip.bvh");
  // A recording with feet that slide: it is as wide as it is long.
  const text = readFileSync(inWork("clip.bvh"), "utf8").split("\n");
  const start = text.findIndex((line) => line.startsWith("Frame Time")) + 1;
  const skating = text.map((line, index) => {
    if (index < start || line.trim() === "") return line;
    const numbers = line.trim().split(/\s+/).map(Number);
    numbers[0] += 3 * Math.sin((index - start) / 9);
    return numbers.join(" ");
  });
  writeFileSync(inWork("skating.bvh"), skating.join("\n"));

  const { page, complaints } = await openPanel(browser, url, "cleanup");
  assert.match(await page.locator("#message").textContent(), /Open a recording/);
  await page.locator("#open").click();
  await page.locator("dialog[open] .files button").filter({ hasText: "skating.bvh" }).click();
  await page.waitForFunction(() => window.studio.front.contacts().ranges !== null);
  await idle(page);
  const contacts = () => page.evaluate(() => window.studio.front.contacts());
  const detected = await contacts();
  const theirs = JSON.parse(surefoot("contacts", "skating.bvh", "--json")).result;
  assert.equal(
    Object.values(detected.ranges.left).flat().length,
    theirs.plants.filter((one) => one.foot === "left").length,
  );
  assert.equal(await framesOf(page, 1), await framesOf(page, 0), "before and after");
  const metric = async (name) => {
    const report = await page.evaluate(() => window.studio.front.report());
    return report.metrics.find((one) => one.name === name);
  };
  const drift = await metric("drift_max");
  assert.ok(drift.before > 5 && drift.after < 0.1, `plants slide no more: ${drift.before} to ${drift.after} mm`);

  // An end of a contact is dragged.
  const index = 1;
  const [from, to] = detected.ranges.left.ball[index];
  const at = await page.evaluate((frame) => {
    const { view } = window.studio;
    const canvas = document.getElementById("track");
    const box = canvas.getBoundingClientRect();
    const rate = window.studio.front.contacts().rate;
    return [-6, 0]
      .map((by) => box.left + view.range.x((frame + by - 0.5) / rate, canvas.clientWidth))
      .concat(box.top + 4 + 15 + 6);
  }, to);
  await page.mouse.move(at[1], at[2]);
  await page.mouse.down();
  await page.mouse.move(at[0], at[2], { steps: 8 });
  await page.mouse.up();
  await idle(page);
  const isSharp = () => {
    const picture = document.getElementById("picture");
    return Math.abs(picture.width / picture.height - picture.clientWidth / picture.clientHeight) < 0.02;
  };
  assert.ok(await page.evaluate(isSharp), "the picture is drawn in the size that it has beside the rows");
  const dragged = (await contacts()).ranges.left.ball[index];
  assert.deepEqual(dragged, [from, to - 6], "the end is where it was let go");
  await shoot(page, "cleanup");

  // Saved: what the command makes of the same contacts.
  await saveAs(page, "skating-clean.bvh");
  await exportAs(page, "Contacts", "skating.contacts.json");
  assert.deepEqual(JSON.parse(readFileSync(inWork("skating.contacts.json"), "utf8")).left.ball[index], [from, to - 6]);
  const line = await commandOf(page);
  assert.equal(line, "surefoot clean skating.bvh --contacts skating.contacts.json -o skating-clean.bvh");
  sameAsCommand("skating-clean.bvh", line.replace("skating-clean.bvh", "theirs.bvh"), "theirs.bvh");
  const before = readFileSync(inWork("skating.bvh"));
  assert.ok(!before.equals(readFileSync(inWork("skating-clean.bvh"))), "something was cleaned");

  // Undo, keys, the list.
  await page.locator("#undo").click();
  await idle(page);
  assert.deepEqual((await contacts()).ranges.left.ball[index], [from, to]);
  await page.locator("#panel-cleanup .list button").first().click();
  await page.keyboard.press("Delete");
  await idle(page);
  const count = (of) => ["left", "right"].flatMap((foot) => Object.values(of.ranges[foot]).flat()).length;
  assert.equal(count(await contacts()), count(detected) - 1);
  await front(page).getByRole("button", { name: "As detected" }).click();
  await idle(page);
  assert.equal(count(await contacts()), count(detected));
  await front(page).getByLabel("Keep bone lengths").check();
  await idle(page);
  assert.match(await commandOf(page), /--rigid/);

  // Dropped files: a motion, and what is none.
  const drop = (name, text) =>
    page.evaluate(
      ([name, text]) => {
        const data = new DataTransfer();
        data.items.add(new File([text], name));
        document.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
      },
      [name, text],
    );
  await drop("broken.bvh", "HIERARCHY\nROOT x\n{");
  await page.locator(".toast.error").waitFor();
  assert.match(await page.locator(".toast.error").first().textContent(), /broken\.bvh/);
  assert.equal(await page.evaluate(() => window.studio.front.name()), "skating.bvh", "the recording stays");
  await page.getByLabel("Close the message").first().click();
  await drop("broken.asf", "no skeleton");
  await page.getByText("drop its .amc now").waitFor();
  await drop("dropped.bvh", readFileSync(inWork("clip.bvh"), "utf8"));
  await page.waitForFunction(() => window.studio.front.name() === "dropped.bvh");
  await idle(page);
  assert.deepEqual(complaints, []);
  await page.close();
}

async function checkSignal(browser, url) {
  surefoot("gait", "walk", "--steps", "8", "--speed", "4km/h", "-o", "slow.bvh");
  surefoot("gait", "walk", "--steps", "8", "--speed", "6km/h", "--preset", "happy", "-o", "quick.bvh");
  const { page, complaints } = await openPanel(browser, url, "signal");
  const panel = front(page);
  const choose = async (label, value) => {
    const select = panel.locator(`select[aria-label="${label}"]:visible`);
    await select.focus();
    await select.locator(`option[value="${value}"]`).waitFor({ state: "attached" });
    await select.selectOption(value);
  };
  const report = () => page.evaluate(() => window.studio.front.report());
  await choose("Clip", "slow.bvh");
  await page.waitForFunction(() => window.studio.front.report() !== null);
  await idle(page);
  const flat = (await report()).edits[0].gains;
  assert.ok(flat.length >= 6 && flat.every(([, gain]) => gain === 1), "bands of frequencies, none changed yet");
  const bands = panel.locator("input[type=range]:visible");
  assert.equal(await bands.count(), flat.length, "a slider for each band");

  // A band is made stronger; the motion follows, and so does the command.
  const place = (actor, frame) =>
    page.evaluate(
      ([actor, frame]) => {
        const { track, joints } = window.studio.view.show.actors[actor];
        const pose = track.newPose();
        track.sample(frame, pose);
        const at = 3 * joints.indexOf("LeftHand");
        return [...pose.places.slice(at, at + 3)];
      },
      [actor, frame],
    );
  const hz = flat[4][0];
  await setSlider(page, `${hz < 1 ? hz.toFixed(2) : hz.toFixed(1)} Hz`, 2.5);
  await idle(page);
  assert.equal((await report()).edits[0].gains[4][1], 2.5);
  let apart = 0;
  for (const frame of [60, 90, 120]) {
    const [before, after] = [await place(0, frame), await place(1, frame)];
    apart = Math.max(apart, Math.hypot(...before.map((x, axis) => x - after[axis])));
  }
  assert.ok(apart > 0.02, `hands swing otherwise: ${apart} m`);
  await saveAs(page, "slow-equalize.bvh");
  let line = await commandOf(page);
  assert.match(line, /^surefoot signal equalize slow\.bvh --gain 4=2\.5 -o /);
  sameAsCommand("slow-equalize.bvh", line.replace(/-o \S+$/, "-o theirs.bvh"), "theirs.bvh");
  await shoot(page, "signal-equalize");
  await panel.locator('select[aria-label="Preset"]').selectOption("exaggerate");
  await idle(page);
  assert.match(await commandOf(page), /--preset exaggerate/);
  assert.ok(
    (await report()).edits[0].gains.some(([, gain]) => gain > 1),
    "its gains are on the sliders",
  );

  // A blend of two clips, with the times that belong together.
  await page.locator("#signal-blend").click();
  await choose("With", "quick.bvh");
  await idle(page);
  const pairs = (await report()).edits[0].correspondence;
  assert.ok(pairs.length > 100 && pairs.every(([, b], index) => index === 0 || b >= pairs[index - 1][1]));
  assert.equal(await page.evaluate(() => window.studio.view.show.actors.length), 3, "both and their blend");
  await settle(page);
  assert.ok((await page.locator("#track").boundingBox()).height > 80, "the correspondence is drawn");
  const half = await framesOf(page, 2);
  await setSlider(page, "Share", 1);
  await idle(page);
  assert.ok((await framesOf(page, 2)) < half, "all of the quick one is quicker");
  await page.locator("#undo").click();
  await idle(page);
  await shoot(page, "signal-blend");
  await page.locator("#signal-warp").click();
  await idle(page);
  await saveAs(page, "slow-warp.bvh");
  line = await commandOf(page);
  assert.match(line, /^surefoot signal warp slow\.bvh --pace quick\.bvh/);
  sameAsCommand("slow-warp.bvh", line.replace(/-o \S+$/, "-o theirs.bvh"), "theirs.bvh");

  // A hand is dragged; at that frame it is there.
  await page.locator("#signal-displace").click();
  await idle(page);
  await page.evaluate(() => window.studio.view.playback.seek(2));
  await page.locator("#view-side").click();
  await settle(page);
  const hand = await page.evaluate(() => {
    const { view } = window.studio;
    const actor = view.show.actors.at(-1);
    const pose = actor.track.newPose();
    actor.track.sample(Math.round(2 * actor.rate), pose);
    const at = 3 * actor.joints.indexOf("LeftHand");
    const place = [...pose.places.slice(at, at + 3)].map((x, axis) => x + view.show.origin[axis]);
    const box = document.getElementById("picture").getBoundingClientRect();
    const [x, y] = view.pixel(place);
    return { place, at: [box.left + x, box.top + y] };
  });
  await page.mouse.move(...hand.at);
  await page.mouse.down();
  await page.mouse.move(hand.at[0], hand.at[1] - 12, { steps: 6 });
  await page.mouse.up();
  await idle(page);
  const { keys } = await page.evaluate(() => window.studio.front.signal());
  assert.equal(keys.length, 1);
  assert.equal(keys[0].frame, 120);
  assert.ok(keys[0].limb.endsWith("hand"), "a hand was taken");
  const missed = (await report()).edits[0].metrics.missed_mm;
  assert.ok(missed < 1, `it is where it was let go: ${missed} mm off`);
  await shoot(page, "signal-displace");
  await saveAs(page, "slow-displace.bvh");
  line = await commandOf(page);
  sameAsCommand("slow-displace.bvh", line.replace(/-o \S+$/, "-o theirs.bvh"), "theirs.bvh");
  await page.locator("#undo").click();
  await idle(page);
  assert.equal((await page.evaluate(() => window.studio.front.signal())).keys.length, 0);
  assert.deepEqual(complaints, []);
  await page.close();
}

async function checkDatabase(browser, url) {
  const { page, complaints } = await openPanel(browser, url, "database");
  await idle(page);
  const report = await page.evaluate(() => window.studio.front.report());
  assert.equal(report.left.points.length, report.left.steps);
  assert.ok(report.shots.length > 3 && report.left.hull_edges.length > 10);
  assert.equal(await page.locator("#panel-database .shots button").count(), report.shots.length);

  // Any step is played by clicking it: the point, then the list.
  const click = async (index) => {
    const canvas = page.locator("#panel-database canvas.space");
    await canvas.scrollIntoViewIfNeeded();
    const box = await canvas.boundingBox();
    const at = await page.evaluate((index) => window.studio.front.space().placed[index], index);
    await page.mouse.click(box.x + at[0], box.y + at[1]);
  };
  const played = () => page.evaluate(() => window.studio.front.played());
  const place = await page.evaluate(() => {
    const { placed } = window.studio.front.space();
    const alone = (at, index) =>
      placed.every((other, k) => k === index || Math.hypot(other[0] - at[0], other[1] - at[1]) > 6);
    return placed.findIndex(alone);
  });
  await click(place);
  await idle(page);
  assert.equal((await played()).step, report.left.points[place].step, "the step of the point is played");
  const made = await played();
  const seconds = made.seconds.reduce((sum, part) => sum + part);
  assert.ok(Math.abs((await framesOf(page)) / 60 - seconds) < 0.05, "as long as it was recorded");
  await page.locator("#play").click();
  for (const [value, name] of [
    ["space", "database"],
    ["end-length", "database-above"],
  ]) {
    await front(page).getByLabel("Seen", { exact: true }).selectOption(value);
    await shoot(page, name);
  }
  await front(page).getByLabel("Foot", { exact: true }).selectOption("right");
  await page.locator("#panel-database .list.steps button").nth(3).click();
  await idle(page);
  assert.equal((await played()).foot, "right");
  await page.locator("#panel-database .shots button").first().click();
  assert.equal(await page.locator("#panel-database .shots button").first().getAttribute("aria-selected"), "true");
  const command = await exportAs(page, "BVH", "one-step.bvh");
  sameAsCommand("one-step.bvh", command.replace("one-step.bvh", "theirs.bvh"), "theirs.bvh");
  assert.deepEqual(complaints, []);
  await page.close();
}

async function checkScene(browser, url) {
  const { page, complaints } = await openPanel(browser, url, "scene");
  await idle(page);
  const report = () => page.evaluate(() => window.studio.front.report());
  const first = await report();
  assert.equal(first.not_met, null);
  assert.ok((await page.evaluate(() => window.studio.front.found().corridor)).length > 10, "the corridor is drawn");

  // An obstacle is drawn into the way; the path goes around it.
  await page.locator("#view-top").click();
  await settle(page);
  const pixel = (place) =>
    page.evaluate(([x, z]) => {
      const box = document.getElementById("picture").getBoundingClientRect();
      const at = window.studio.view.pixel([x, 0, z]);
      return [box.left + at[0], box.top + at[1]];
    }, place);
  const drag = async (from, to) => {
    await page.mouse.move(...(await pixel(from)));
    await page.mouse.down();
    await page.mouse.move(...(await pixel(to)), { steps: 6 });
    await page.mouse.up();
    await idle(page);
  };
  await page.getByRole("button", { name: "Draw obstacle" }).click();
  await drag([-3.2, 0.9], [-2.2, 1.5]);
  const scene = () => page.evaluate(() => window.studio.front.scene());
  assert.equal((await scene()).obstacles.length, 3);
  await drag([3, 1.5], [3, -1.5]);
  assert.ok(Math.abs((await scene()).goal[1] + 1.5) < 0.05, "the goal is where it was let go");
  const now = await report();
  assert.notEqual(now.path_length_m, first.path_length_m);
  const { terrain, path } = await page.evaluate(() => ({
    terrain: window.studio.front.scene().terrain,
    path: window.studio.front.found().path,
  }));
  assert.equal(terrain, null);
  assert.ok(Math.hypot(path.at(-1)[0] - 3, path.at(-1)[1] + 1.5) < 0.1, "the path ends there");
  await shoot(page, "scene-top");

  // A place on the way: the path leads through it, wherever it is dragged, and not any more once it is gone.
  const nearest = (place) =>
    page.evaluate(
      ([x, z]) => Math.min(...window.studio.front.found().path.map((at) => Math.hypot(at[0] - x, at[1] - z))),
      place,
    );
  assert.ok((await nearest([0.1, -2])) > 0.3);
  await page.keyboard.press("w");
  await page.mouse.click(...(await pixel([0.1, -2])));
  await idle(page);
  await page.keyboard.press("Escape");
  assert.ok((await nearest((await scene()).waypoints[0])) < 0.03, "the path leads through it");
  await drag([0.1, -2], [0.1, 2]);
  const [waypoint] = (await scene()).waypoints;
  assert.ok(Math.hypot(waypoint[0] - 0.1, waypoint[1] - 2) < 0.05, "it was dragged");
  assert.ok((await nearest(waypoint)) < 0.03, "and the path follows");
  await shoot(page, "scene-waypoint");
  await page.getByRole("button", { name: "Delete waypoint 1" }).click();
  await idle(page);
  assert.deepEqual((await scene()).waypoints, []);
  // Deleted, dragged and added are three steps of undo.
  for (const left of [1, 1, 0]) {
    await page.locator("#undo").click();
    await idle(page);
    assert.equal((await scene()).waypoints.length, left);
  }

  // Saved, and walked by the command.
  assert.ok(await page.locator("#unsaved").isVisible(), "it is not saved yet");
  await saveAs(page, "mine.scene.json");
  assert.equal(await page.locator("#unsaved").isVisible(), false);
  await exportAs(page, "BVH", "walk.bvh");
  // Contacts and events are what the command writes beside its motion.
  for (const [kind, file, theirs] of [
    ["Contacts", "ours.contacts.json", "theirs.contacts.json"],
    ["Events", "ours.events.json", "theirs.events.json"],
  ]) {
    const command = await exportAs(page, kind, file);
    sameAsCommand(file, command.replace(` ${file}`, ` ${theirs}`), theirs);
  }
  const line = await commandOf(page);
  assert.match(line, /^surefoot go mine\.scene\.json --with gait -o /);
  sameAsCommand("walk.bvh", line.replace(/-o \S+$/, "-o theirs.bvh"), "theirs.bvh");

  // Undo; a goal in a wall says what is wrong; a slope.
  await page.locator("#undo").click();
  await idle(page);
  assert.ok(Math.abs((await scene()).goal[1] - 1.5) < 1e-9);
  await drag([3, 1.5], [1.1, 1.5]);
  assert.ok(await page.locator("#panel-scene .refusal").isVisible(), "nobody can stand there");
  await page.locator("#undo").click();
  await idle(page);
  assert.equal(await page.locator("#panel-scene .refusal").isVisible(), false);
  await front(page).getByLabel("Ground", { exact: true }).selectOption("plane");
  await idle(page);
  assert.deepEqual((await scene()).terrain.plane.slope, 5);
  await page.locator("#view-free").click();
  await shoot(page, "scene-slope");
  await front(page).getByLabel("Ground", { exact: true }).selectOption("level");
  await idle(page);

  // Room for a graph, which strays more than footprints do.
  await page.locator("#panel-scene .list button").nth(2).click();
  await page.keyboard.press("Delete");
  await idle(page);
  assert.equal((await scene()).obstacles.length, 2);

  // Through a motion graph: the edges that are played are in its picture.
  await front(page).getByLabel("Walked by", { exact: true }).selectOption("graph");
  await idle(page);
  const { graph } = await report();
  assert.ok(graph.edges.length > 5 && graph.blends > 0);
  assert.match(
    await page.locator("#panel-scene canvas.diagram").getAttribute("aria-label"),
    new RegExp(`the walk plays ${graph.edges.length} edges, ${graph.blends} of them blends`),
  );
  await page.locator("#panel-scene canvas.diagram").scrollIntoViewIfNeeded();
  await shoot(page, "scene-graph");
  assert.deepEqual(complaints, []);
  await page.close();
}

/** People of a motion, and of a character: frames come as they are due, in one draw call for everybody of one body. */
async function checkCrowd(browser, url) {
  const { page, complaints } = await openPanel(browser, url, "crowd");
  await page.evaluate(() => window.studio.front.loadAll(["run.bvh", "me.glb"]));
  const isPlaying = () => window.studio.front.received().length > 1;
  await page.waitForFunction(isPlaying, null, { timeout: PATIENCE });
  await setSlider(page, "People", 60);
  await page.waitForFunction(
    () => window.studio.view.show?.actors.length === 60 && window.studio.front.received().length > 1,
    null,
    { timeout: PATIENCE },
  );
  const seen = await page.evaluate(() => {
    const { stage } = window.studio.view;
    stage.draw(0);
    const place = () => Array.from(stage.poses[0].places.slice(0, 3));
    return { groups: stage.people.groups.map(({ count, body }) => [count, body.bones !== null]), place: place() };
  });
  assert.deepEqual(
    seen.groups.map(([count]) => count).reduce((sum, count) => sum + count, 0),
    60,
  );
  await page.waitForFunction(
    (before) => {
      const { places } = window.studio.view.stage.poses[0];
      return before.some((value, axis) => Math.abs(places[axis] - value) > 0.01);
    },
    seen.place,
    { timeout: PATIENCE },
  );
  await shoot(page, "crowd");
  const command = await exportAs(page, "Player", "together.html");
  assert.equal(command, "surefoot render run.bvh me.glb --side-by-side -o together.html");
  await page.getByRole("button", { name: "Stop" }).click();
  await page.locator("#undo").click();
  assert.equal(await page.evaluate(() => window.studio.front.state().people), 2);
  assert.deepEqual(complaints, []);
  await page.close();
}

/** The user's own character walks, as it looks, in every panel that makes motion for one. */
async function checkCharacter(browser, url) {
  const { page, complaints } = await openPanel(browser, url, "plan");
  const drawn = () => page.evaluate(`(${drawnCharacter})(window.studio.view.stage)`);
  await page.waitForFunction(() => window.studio.plan.solved !== null, null, { timeout: PATIENCE });
  await settle(page);
  assert.equal((await drawn()).bones, 0, "a body of ours");
  const choose = async () => {
    const list = front(page).locator("select[aria-label=Character]");
    await list.focus();
    await list.locator("option", { hasText: "me.glb" }).waitFor({ state: "attached" });
    await list.selectOption("me.glb");
  };
  await choose();
  await page.waitForFunction(() => window.studio.view.show?.actors[0] && window.studio.plan.settings.on === "me.glb");
  await page.waitForFunction(
    () => window.studio.plan.solved?.version === window.studio.plan.version && !window.studio.plan.isSending,
    null,
    { timeout: PATIENCE },
  );
  await settle(page);
  const walked = await drawn();
  assert.ok(walked.bones > 15 && walked.farthest < 0.5, `the plan is walked by ${JSON.stringify(walked)}`);
  await shoot(page, "character-plan");
  await page.locator("#undo").click();
  await page.locator("#tab-gait").click();
  await idle(page);
  await choose();
  await idle(page);
  const gait = await drawn();
  assert.ok(gait.bones > 15 && gait.farthest < 0.5, `the gait is of ${JSON.stringify(gait)}`);
  assert.deepEqual(complaints, []);
  await page.close();
}

const CHECKS = {
  gait: checkGait,
  cleanup: checkCleanup,
  signal: checkSignal,
  database: checkDatabase,
  scene: checkScene,
  crowd: checkCrowd,
  character: checkCharacter,
};
let browser;
let studio;
try {
  writeMotions();
  studio = await startStudio();
  browser = await chromium.launch({
    executablePath: chromiumPath,
    args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
  });
  for (const [name, check] of Object.entries(CHECKS)) {
    if (only && only !== name) continue;
    await check(browser, studio.url);
    console.log(`  ${name}: it does what its controls say, and writes what the command writes`);
  }
} finally {
  await browser?.close();
  studio?.server.kill();
  rmSync(folder, { recursive: true, force: true });
}
