// Opens the demo's page and a player from disk in a real browser, and does what a person does with them.
//
//   node tools/browser/player.mjs BINARY CHROMIUM [FOLDER_FOR_SCREENSHOTS]
//
// Needs the npm package playwright-core (SUREFOOT_NODE_MODULES names the folder of a package.json beside it).

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readBvh } from "./bvh.mjs";
import { drawnCharacter, writeCharacter } from "./character.mjs";

const [binary, chromiumPath, shots] = process.argv.slice(2);
const require = createRequire(join(process.env.SUREFOOT_NODE_MODULES ?? process.cwd(), "package.json"));
const { chromium } = require("playwright-core");

/** Milliseconds that anything may take: with the debug build on a machine that others load, seconds become minutes. */
const PATIENCE = 300_000;

const folder = mkdtempSync(join(tmpdir(), "surefoot-player-"));
const surefoot = (...args) =>
  execFileSync(binary, args, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
const launch = (args) =>
  chromium.launch({
    executablePath: chromiumPath,
    args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", ...args],
  });

/** Opens a page from disk; whatever its console complains of is an error of the test. */
async function open(browser, file, options = {}) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, ...options });
  page.setDefaultTimeout(PATIENCE);
  const complaints = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type()) && !message.text().includes("GPU stall"))
      complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("request", (request) => {
    if (!/^(file|data|blob):/.test(request.url())) complaints.push(`asked for ${request.url()}`);
  });
  await page.goto(`file://${join(folder, file)}`);
  await page.waitForFunction(() => window.surefoot !== undefined);
  await settle(page);
  return { page, complaints };
}

/** Until what was asked for is drawn. */
const settle = (page) =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))));
const frameOf = (page) => page.evaluate(() => window.surefoot.playback.frame);

/** Different colours among pixels of the picture: an empty one has few. */
async function colours(page) {
  await settle(page);
  return page.evaluate(() => {
    const { gl, canvas } = window.surefoot.stage;
    const pixels = new Uint8Array(4 * canvas.width * canvas.height);
    gl.readPixels(0, 0, canvas.width, canvas.height, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
    const seen = new Set();
    for (let i = 0; i < pixels.length; i += 4 * 37) seen.add((pixels[i] << 16) | (pixels[i + 1] << 8) | pixels[i + 2]);
    return seen.size;
  });
}

const shoot = (page, name) => shots && page.screenshot({ path: join(shots, `${name}.png`) });

/** All joints of some frames against the file; in millimetres. */
async function farthest(page, actor, file, metresPerUnit) {
  const bvh = readBvh(join(folder, file));
  let worst = 0;
  for (const frame of [0, 1, Math.floor(bvh.nFrames / 2), bvh.nFrames - 1]) {
    const positions = bvh.positions(frame);
    const shown = await page.evaluate(
      ([actor, names, frame]) => names.map((name) => window.surefoot.jointPosition(actor, name, frame)),
      [actor, bvh.names, frame],
    );
    positions.forEach((place, joint) => {
      const apart = Math.hypot(...place.map((x, axis) => x * metresPerUnit - shown[joint][axis]));
      worst = Math.max(worst, 1000 * apart);
    });
  }
  return worst;
}

async function checkDemo(browser) {
  const { page, complaints } = await open(browser, "demo/index.html");
  const names = await page.locator("#shows button strong span:first-child").allTextContents();
  assert.deepEqual(names, [
    "indoor",
    "ridge",
    "back-and-forth",
    "stones",
    "course",
    "course-stairs",
    "parkour",
    "cleanup",
  ]);
  const unit = JSON.parse(surefoot("info", "demo/indoor.bvh", "--json")).result;
  const metres = (Array.isArray(unit) ? unit[0] : unit).unit_to_metre ?? unit.files[0].unit_to_metre;
  for (const [index, name] of names.entries()) {
    await page.locator("#shows button").nth(index).click();
    assert.ok((await colours(page)) > 150, `${name} is drawn`);
    const [actor, file] = name === "cleanup" ? [1, "demo/cleaned.bvh"] : [0, `demo/${name}.bvh`];
    const worst = await farthest(page, actor, file, metres);
    assert.ok(worst < 0.1, `${name}: a joint is ${worst} mm from its place in ${file}`);
    console.log(`  ${name}: joints within ${worst.toFixed(4)} mm of ${file}`);
    await shoot(page, `demo-${name}`);
  }
  assert.equal(await page.locator("#badge").isVisible(), false, "cleanup has no verdict");
  await page.locator("#shows button").first().click();
  assert.ok(["good", "check"].includes(await page.locator("#badge").textContent()));

  // Playing, stepping, scrubbing.
  await page.locator("#play").click();
  await page.waitForTimeout(700);
  assert.ok((await frameOf(page)) > 3, "it plays");
  assert.equal(await page.locator("#play").getAttribute("aria-label"), "Pause");
  await page.locator("#play").click();
  const paused = await frameOf(page);
  await page.waitForTimeout(200);
  assert.equal(await frameOf(page), paused, "it pauses");
  await page.locator("#forth").click();
  assert.ok(Math.abs((await frameOf(page)) - (Math.floor(paused) + 1)) < 1e-6, "a step ends on a full frame");
  await page.locator("#back").click();
  assert.ok(Math.abs((await frameOf(page)) - Math.floor(paused)) < 1e-6);
  await page.keyboard.press("Home");
  assert.equal(await frameOf(page), 0);
  await page.keyboard.press("ArrowRight");
  assert.ok(Math.abs((await frameOf(page)) - 1) < 1e-6);
  await page.locator("#picture").focus();
  await page.keyboard.press("Shift+ArrowRight");
  assert.ok(Math.abs((await frameOf(page)) - 11) < 1e-6);
  const box = await page.locator("#timeline").boundingBox();
  await page.mouse.click(box.x + box.width * 0.6, box.y + 30);
  const scrubbed = await frameOf(page);
  assert.ok(scrubbed > 30, `the time line scrubs: ${scrubbed}`);
  await page.locator("#scrub").fill("42");
  assert.ok(Math.abs((await frameOf(page)) - 42) < 1e-6, "the slider scrubs");
  await settle(page);
  assert.match(await page.locator("#picture").getAttribute("aria-label"), /frame 42 of \d+; (planted|no foot)/);

  // Views, follow, layers, theme, help.
  for (const view of ["side", "front", "top", "free"]) {
    await page.locator(`#view-${view}`).click();
    assert.ok((await colours(page)) > 100, `${view} is drawn`);
    assert.equal(await page.locator(`#view-${view}`).getAttribute("aria-pressed"), "true");
    await shoot(page, `view-${view}`);
  }
  const yaw = () => page.evaluate(() => window.surefoot.stage.camera.yaw);
  const before = await yaw();
  await page.mouse.move(500, 300);
  await page.mouse.down();
  await page.mouse.move(600, 320, { steps: 4 });
  await page.mouse.up();
  assert.notEqual(await yaw(), before, "a drag turns the view");
  const distance = () => page.evaluate(() => window.surefoot.stage.camera.distance);
  const far = await distance();
  await page.mouse.wheel(0, -300);
  await settle(page);
  assert.ok((await distance()) < far, "the wheel zooms");
  await page.locator("#follow").click();
  await page.locator("#layers input[name=ghosts]").check();
  assert.ok((await colours(page)) > 150);
  await shoot(page, "follow-ghosts");
  await page.locator("#theme").click();
  assert.ok((await colours(page)) > 100, "it is drawn in the dark");
  await shoot(page, "dark");
  await page.keyboard.press("?");
  assert.ok(await page.locator("#help").isVisible());
  await page.keyboard.press("Escape");
  assert.deepEqual(complaints, []);
  await page.close();
}

async function checkPlayer(browser) {
  const hostile = "a <img src=x onerror=alert(1)>'\"\u202e&.bvh";
  execFileSync("cp", [join(folder, "demo/skating.bvh"), join(folder, hostile)]);
  surefoot("render", hostile, "demo/cleaned.bvh", "--contacts", "demo/skating.contacts.json", "-o", "pair.html");
  const { page, complaints } = await open(browser, "pair.html", { hasTouch: true });
  assert.equal(
    await page.locator("#title").textContent(),
    `${hostile.slice(0, -4).replace("\u202e", "\ufffd")} and cleaned`,
  );
  assert.equal(await page.locator("b:has-text('cleaned')").count(), 1);
  assert.equal(await page.locator("#shows").isVisible(), false);
  const arranged = () => page.evaluate(() => window.surefoot.stage.isSideBySide);
  assert.equal(await arranged(), false, "two that begin at one place are overlaid");
  await page.locator("#arrange").click();
  assert.equal(await arranged(), true);
  assert.ok((await colours(page)) > 150);
  await shoot(page, "side-by-side");
  await page.locator("#legend button").nth(1).click();
  assert.equal(await page.locator("#legend button small").nth(1).textContent(), "ghost");
  assert.deepEqual(complaints, []);
  await page.close();
}

/** A character is drawn as it looks: from its own file, and on a motion that was made on it. */
async function checkCharacter(browser) {
  surefoot("gait", "walk", "--steps", "4", "-o", "ours.glb");
  writeCharacter(join(folder, "ours.glb"), join(folder, "me.glb"));
  surefoot("animate", "demo/stones.plan.json", "--on", "me.glb", "-o", "me.take");
  surefoot("render", "me.glb", "-o", "me.html");
  surefoot("render", "me.take", "--on", "me.glb", "--plan", "demo/stones.plan.json", "-o", "made.html");
  for (const name of ["me", "made"]) {
    const { page, complaints } = await open(browser, `${name}.html`);
    assert.ok((await colours(page)) > 100, `${name} is drawn`);
    const drawn = await page.evaluate(`(${drawnCharacter})(window.surefoot.stage)`);
    assert.ok(drawn.bones > 15, `${name}: its own mesh hangs on ${drawn.bones} bones`);
    assert.ok(drawn.farthest > 0.02 && drawn.farthest < 0.5, `${name}: a vertex is ${drawn.farthest} m from its joint`);
    await shoot(page, `character-${name}`);
    assert.deepEqual(complaints, []);
    await page.close();
  }
}

/** Without WebGL2 there is a message, and the rest works. */
async function checkWithoutWebGl() {
  const browser = await launch(["--disable-gpu", "--disable-3d-apis"]);
  const page = await browser.newPage();
  page.setDefaultTimeout(PATIENCE);
  await page.goto(`file://${join(folder, "pair.html")}`);
  await page.waitForFunction(() => window.surefoot !== undefined);
  assert.match(await page.locator("#message").textContent(), /WebGL2/);
  await page.locator("#forth").click();
  assert.ok((await frameOf(page)) > 0);
  await browser.close();
}

let browser;
try {
  surefoot("demo", "demo");
  browser = await launch([]);
  await checkDemo(browser);
  await checkPlayer(browser);
  await checkCharacter(browser);
  await checkWithoutWebGl();
  console.log("  the pages play, scrub, step, turn and say what they show");
} finally {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
}
