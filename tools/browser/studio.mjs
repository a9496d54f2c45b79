// Starts the studio, opens its page in a real browser, and does what a person does with it.
//
//   node tools/browser/studio.mjs BINARY CHROMIUM [FOLDER_FOR_SCREENSHOTS]      studio.png is the picture of the docs
//
// Needs the npm package playwright-core, as player.mjs does.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { createRequire } from "node:module";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const [binary, chromiumPath, shots] = process.argv.slice(2);
const require = createRequire(join(process.env.SUREFOOT_NODE_MODULES ?? process.cwd(), "package.json"));
const { chromium } = require("playwright-core");

/** Milliseconds that anything may take: with the debug build on a machine that others load, seconds become minutes. */
const PATIENCE = 300_000;

const folder = mkdtempSync(join(tmpdir(), "surefoot-studio-"));
const work = join(folder, "work");
mkdirSync(work);
const running = new Set();

/** A studio, and the address that it prints. */
async function start(...args) {
  const server = spawn(binary, ["studio", "--no-open", ...args], {
    cwd: work,
    env: { ...process.env, XDG_STATE_HOME: join(folder, "state") },
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.add(server);
  server.on("exit", () => running.delete(server));
  let [said, complained] = ["", ""];
  server.stderr.on("data", (data) => {
    complained += data;
  });
  const url = await new Promise((done, failed) => {
    server.stdout.on("data", (data) => {
      said += data;
      if (said.includes("\n")) done(said.trim());
    });
    server.on("exit", (code) => failed(new Error(`the studio ended with ${code}: ${complained}`)));
  });
  assert.match(url, /^http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{32}\/$/, "the address alone");
  return { server, url };
}

async function end(server, signal = "SIGTERM") {
  if (!running.has(server)) return;
  const ended = new Promise((done) => server.once("exit", done));
  server.kill(signal);
  await ended;
}

const launch = (args = []) =>
  chromium.launch({
    executablePath: chromiumPath,
    args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", ...args],
  });

/** A window of the studio; whatever its console complains of is an error of the test, but for `mayComplain`. */
async function open(browser, url, options = {}, mayComplain = /^$/) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, ...options });
  page.setDefaultTimeout(PATIENCE);
  const complaints = [];
  page.on("console", (message) => {
    const text = message.text();
    if (["error", "warning"].includes(message.type()) && !text.includes("GPU stall") && !mayComplain.test(text))
      complaints.push(text);
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("request", (asked) => {
    if (!asked.url().startsWith(url) && !/^(data|blob):/.test(asked.url())) complaints.push(`asked for ${asked.url()}`);
  });
  await page.goto(url);
  return { page, complaints };
}

const settle = (page) =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))));
/** Until the server has solved the plan as the window has it. */
async function solved(page) {
  const isSolved = () => {
    const { connection, plan } = window.studio;
    // What was asked for and is not answered yet may change the plan.
    const isQuiet = !plan.isSending && connection.waiting.size === 0;
    return isQuiet && plan.solved !== null && plan.solved.version === plan.version;
  };
  await page.waitForFunction(isSolved, null, { timeout: PATIENCE });
  await settle(page);
}
const printAt = (page, index) => page.evaluate((index) => window.studio.plan.prints[index], index);
const rowAt = (page, index) => page.evaluate((index) => window.studio.plan.solved.report.each[index], index);
const shoot = (page, name) => shots && page.screenshot({ path: join(shots, `${name}.png`) });

/** Where a footprint is on the screen. */
const pixelOf = (page, index) =>
  page.evaluate((index) => {
    const { plan, view } = window.studio;
    const box = document.getElementById("picture").getBoundingClientRect();
    const [x, y] = view.pixel(plan.prints[index].position);
    return [box.left + x, box.top + y];
  }, index);

async function drag(page, from, to, steps = 6) {
  await page.mouse.move(...from);
  await page.mouse.down();
  await page.mouse.move(...to, { steps });
  await page.mouse.up();
}

/** Different colours among pixels of the picture: an empty one has few. */
async function colours(page) {
  await settle(page);
  return page.evaluate(() => {
    const { gl, canvas } = window.studio.view.stage;
    const pixels = new Uint8Array(4 * canvas.width * canvas.height);
    gl.readPixels(0, 0, canvas.width, canvas.height, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
    const seen = new Set();
    for (let i = 0; i < pixels.length; i += 4 * 37) seen.add((pixels[i] << 16) | (pixels[i + 1] << 8) | pixels[i + 2]);
    return seen.size;
  });
}

/** What the server itself has: its plan as `Save` writes it. */
async function planOnServer(page, name) {
  await page.evaluate(
    (file) => window.studio.connection.ask("save_text", { file, replace: true }).answer.then(() => {}),
    name,
  );
  return JSON.parse(readFileSync(join(work, name), "utf8")).footprints;
}

async function checkPlan(browser, url) {
  const { page, complaints } = await open(browser, url);
  await solved(page);
  assert.ok((await colours(page)) > 100, "somebody stands there");
  await shoot(page, "plan-light");
  const start = await page.evaluate(() => window.studio.plan.prints);

  // A footprint is dragged; the server has it where it was let go, and the person steps there.
  await page.keyboard.press("4");
  await settle(page);
  const from = await pixelOf(page, 6);
  await drag(page, from, [from[0] + 12, from[1] - 6]);
  const moved = await printAt(page, 6);
  assert.notDeepEqual(moved.position, start[6].position, "it was moved");
  await solved(page);
  const onServer = await planOnServer(page, "walk.plan.json");
  assert.deepEqual(onServer[6].position, moved.position, "the server has it where it was dropped");
  const row = await rowAt(page, 6);
  assert.ok(row.placement.middle_60_mm < 0.1, `the ball is within 0.1 mm: ${row.placement.middle_60_mm}`);
  const live = await page.evaluate(() => window.studio.plan.latencies);
  assert.ok(live.length > 0, "frames came while it was dragged");
  console.log(
    `  first frames after ${live.map(({ round }) => round.toFixed(0)).join(", ")} ms (server ${live.map(({ server }) => server.toFixed(1)).join(", ")})`,
  );
  await shoot(page, "plan-dragged");

  // One step of undo for the whole drag, and back again.
  assert.equal(await page.evaluate(() => window.studio.history.past.length), 1);
  await page.locator("#undo").click();
  await solved(page);
  assert.deepEqual((await planOnServer(page, "walk.plan.json"))[6].position, start[6].position, "undone on the server");
  await page.keyboard.press("Control+Shift+Z");
  await solved(page);
  assert.deepEqual((await printAt(page, 6)).position, moved.position, "and done again");

  // Turned and raised by the handles of what is selected.
  await page.keyboard.press("1");
  await page.locator("#panel-plan .list button").nth(8).click();
  await settle(page);
  const handle = (kind) =>
    page.evaluate((kind) => {
      const { plan, view } = window.studio;
      const print = plan.prints[8];
      const turn = (print.heading * Math.PI) / 180;
      const [x, y, z] = print.position;
      const at = kind === "turn" ? [x + 0.3 * Math.sin(turn), y, z + 0.3 * Math.cos(turn)] : [x, y + 0.24, z];
      const box = document.getElementById("picture").getBoundingClientRect();
      const [px, py] = view.pixel(at);
      return [box.left + px, box.top + py];
    }, kind);
  const heading = (await printAt(page, 8)).heading;
  const grip = await handle("turn");
  await drag(page, grip, [grip[0] + 4, grip[1] + 16]);
  await solved(page);
  assert.ok(Math.abs((await printAt(page, 8)).heading - heading) > 3, "it was turned");
  const top = await handle("raise");
  await drag(page, top, [top[0], top[1] - 14]);
  await solved(page);
  assert.ok((await printAt(page, 8)).position[1] > 0.03, "it was raised");
  assert.ok((await rowAt(page, 8)).placement.middle_60_mm < 1, "and is stepped on up there");
  await page.keyboard.press("Control+z");
  await page.keyboard.press("Control+z");
  await solved(page);

  // Retimed: the end of a stance is dragged in the time line.
  const before = await rowAt(page, 5);
  const end = await page.evaluate((leave) => {
    const box = document.getElementById("track").getBoundingClientRect();
    const y = window.studio.plan.prints[5].foot === "left" ? 14 : 36;
    return [box.left + window.studio.view.range.x(leave, box.width), box.top + y];
  }, before.leave_seconds.actual);
  await drag(page, end, [end[0] + 24, end[1]]);
  await solved(page);
  const after = await rowAt(page, 5);
  const later = after.leave_seconds.actual - before.leave_seconds.actual;
  assert.ok(later > 0.08 && later < 0.5, `it stays longer on the ground: ${later} s`);
  const support = (await planOnServer(page, "walk.plan.json"))[6].support;
  assert.ok(support > 0, "the server has the time");
  await page.keyboard.press("Control+z");
  await solved(page);

  // Inserted, copied, spliced, mirrored, deleted, added; each is one step of undo.
  const length = () => page.evaluate(() => window.studio.plan.prints.length);
  const list = page.locator("#panel-plan .list button");
  await list.nth(6).click();
  await page.keyboard.press("i");
  await solved(page);
  assert.equal(await length(), 16, "two steps more");
  await page.keyboard.press("Control+z");
  await list.nth(4).click();
  await list.nth(7).click({ modifiers: ["Shift"] });
  await page.keyboard.press("Control+c");
  await list.nth(9).click();
  await page.keyboard.press("Control+v");
  await solved(page);
  assert.equal(await length(), 18, "four steps spliced in");
  const feet = await page.evaluate(() => window.studio.plan.prints.map(({ foot }) => foot[0]).join(""));
  assert.equal(feet, "lr".repeat(9), "feet go on taking turns");
  await page.keyboard.press("Control+z");
  await list.nth(3).click();
  await page.keyboard.press("m");
  await solved(page);
  assert.equal((await printAt(page, 0)).foot, "right", "the whole plan is mirrored");
  await page.keyboard.press("Control+z");
  await list.nth(13).click();
  await page.keyboard.press("Delete");
  await solved(page);
  assert.equal(await length(), 13);
  await page.keyboard.press("Control+z");
  await solved(page);
  await list.nth(13).click();
  await page.keyboard.press("a");
  const last = await pixelOf(page, 13);
  await page.mouse.click(last[0] + 40, last[1] + 12);
  await settle(page);
  assert.equal(await length(), 15, "one was added by a click");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+z");
  await solved(page);
  assert.deepEqual((await planOnServer(page, "walk.plan.json")).length, 14);

  // A behaviour of one's own, with its reason.
  await list.nth(6).click();
  await page.locator("#panel-plan select[aria-label=Behaviour]").selectOption("run");
  await solved(page);
  assert.equal((await rowAt(page, 6)).behaviour, "run");
  await page.keyboard.press("Control+z");
  await solved(page);

  // Nonsense is refused where it is; the motion that was there stays, and undo leads back.
  await list.nth(6).click();
  const field = page.locator("#panel-plan input[aria-label='X in m']");
  await field.fill("40");
  await field.press("Enter");
  await page.waitForFunction(() => window.studio.plan.refused !== null);
  await settle(page);
  assert.match(await page.locator("#panel-plan .refusal").textContent(), /ootprint 6 is .* m from footprint 5/);
  assert.equal(await list.nth(6).locator(".poor").textContent(), "impossible");
  await shoot(page, "plan-impossible");
  await field.fill("");
  await page.locator("#picture").focus();
  await page.keyboard.press("Control+z");
  await solved(page);
  assert.equal(await page.locator("#panel-plan .refusal").isVisible(), false);

  await checkFiles(page);
  await page.keyboard.press("?");
  assert.ok(await page.locator("#help").isVisible());
  await page.keyboard.press("Escape");
  await page.locator("#theme").click();
  assert.ok((await colours(page)) > 100, "it is drawn in the dark");
  await shoot(page, "plan-dark");
  assert.deepEqual(complaints, []);
  await page.close();
}

/** Saved, exported and opened again; what exists is asked about. */
async function checkFiles(page) {
  const dialog = page.locator("dialog[open]");
  await page.keyboard.press("Control+s");
  await dialog.locator("input.name").fill("mine.plan.json");
  await dialog.locator("button.primary").click();
  await page.locator(".toast", { hasText: "mine.plan.json was written" }).waitFor();
  assert.equal(await page.locator("#unsaved").isVisible(), false, "nothing is left to save");
  assert.equal(JSON.parse(readFileSync(join(work, "mine.plan.json"), "utf8")).footprints.length, 14);

  writeFileSync(join(work, "walk.bvh"), "mine");
  await page.keyboard.press("Control+e");
  await dialog.locator("input.name").fill("walk.bvh");
  assert.match(await dialog.locator("code").textContent(), /^surefoot animate mine\.plan\.json -o walk\.bvh$/);
  await dialog.locator("button.primary").click();
  await page.locator("dialog[open] h2", { hasText: "Replace it?" }).waitFor();
  assert.equal(readFileSync(join(work, "walk.bvh"), "utf8"), "mine", "nothing is replaced before it is allowed");
  await dialog.locator("button.primary").click();
  await page.locator(".toast", { hasText: "walk.bvh was written" }).waitFor({ timeout: PATIENCE });
  assert.match(readFileSync(join(work, "walk.bvh"), "utf8"), /^HIERARCHY/);
  for (const [kind, file, magic] of [
    ["GLB", "walk.glb", "glTF"],
    ["FBX", "walk.fbx", "Kaydara FBX Binary"],
    ["Player", "walk.html", "<!doctype html>"],
    ["Sheet", "walk.png", "PNG"],
    ["Report", "walk.report.json", "verdict"],
  ]) {
    await page.keyboard.press("Control+e");
    await dialog.locator("label.tick", { hasText: kind }).locator("input").check();
    await dialog.locator("input.name").fill(file);
    await dialog.locator("button.primary").click();
    await page.locator(".toast", { hasText: `${file} was written` }).waitFor({ timeout: PATIENCE });
    assert.ok(readFileSync(join(work, file), "latin1").includes(magic), `${file} is one`);
  }
  await page.keyboard.press("Control+o");
  await dialog.locator(".files button", { hasText: "stones" }).first().click();
  await page.waitForFunction(() => window.studio.plan.prints.length !== 14);
  await solved(page);
  await page.keyboard.press("Control+z");
  await solved(page);
  assert.equal(await page.evaluate(() => window.studio.plan.prints.length), 14, "opening is undone too");
}

/** Broken files, files of no kind that is known, and too large ones are refused in words; the plan stays. */
async function checkDrops(browser, url) {
  const { page } = await open(browser, url);
  await solved(page);
  const before = await page.evaluate(() => window.studio.plan.text());
  const drop = (name, text) =>
    page.evaluate(
      ([name, text]) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([text], name));
        document.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
      },
      [name, text],
    );
  for (const [name, text, says] of [
    ["broken.plan.json", '{ "footplan": 2, "footprints": [ {', /broken\.plan\.json/],
    [
      "nonsense.plan.json",
      '{ "footplan": 2, "footprints": [ { "foot": "left", "position": [0, 0, "x"] } ] }',
      /position/,
    ],
    ["holiday.jpeg", "JFIF", /no panel opens/],
    ["empty.plan.json", "", /empty/],
  ]) {
    await drop(name, text);
    const toast = page.locator(".toast.error").last();
    await toast.filter({ hasText: says }).waitFor();
    await toast.locator("button").click();
  }
  const huge = await page.evaluate(async () => {
    const file = new File(["x"], "huge.plan.json");
    Object.defineProperty(file, "size", { value: 2e9 });
    return window.studio.files.upload(file).then(
      () => "taken",
      (error) => error.message,
    );
  });
  assert.match(huge, /larger than 256 MB/);
  assert.equal(await page.evaluate(() => window.studio.plan.text()), before, "the plan is what it was");
  await page.close();
}

/** Two windows on one plan: both edits stay, and undo takes back one's own alone. */
async function checkTwoWindows(browser, url) {
  const [{ page: one }, { page: two }] = [await open(browser, url), await open(browser, url)];
  await solved(one);
  await solved(two);
  const move = (page, index, by) =>
    page.evaluate(
      ([index, by]) => {
        const { plan } = window.studio;
        const moved = (print) => ({
          ...print,
          position: [print.position[0] + by, print.position[1], print.position[2]],
        });
        plan.edit(
          "move",
          plan.prints.map((print, at) => (at === index ? moved(print) : print)),
        );
      },
      [index, by],
    );
  const start = await one.evaluate(() => window.studio.plan.prints);
  await Promise.all([move(one, 4, 0.03), move(two, 9, 0.04)]);
  await solved(one);
  await solved(two);
  const [a, b] = [
    await one.evaluate(() => window.studio.plan.prints),
    await two.evaluate(() => window.studio.plan.prints),
  ];
  assert.deepEqual(a, b, "both windows show one plan");
  assert.ok(Math.abs(a[4].position[0] - start[4].position[0] - 0.03) < 1e-9, "the edit of one");
  assert.ok(Math.abs(a[9].position[0] - start[9].position[0] - 0.04) < 1e-9, "the edit of the other");
  await one.keyboard.press("Control+z");
  await solved(one);
  await solved(two);
  const left = await two.evaluate(() => window.studio.plan.prints);
  assert.deepEqual(left[4].position, start[4].position, "undone");
  assert.deepEqual(left[9].position, a[9].position, "and no more than that");
  await two.keyboard.press("Control+z");
  await solved(two);
  await one.close();
  await two.close();
}

/** The server is killed: the page says so, takes edits on, and brings them to the one that is started again. */
async function checkReconnect(browser) {
  const port = 20_000 + Math.floor(Math.random() * 20_000);
  const first = await start("--port", String(port));
  const { page } = await open(browser, first.url, {}, /WebSocket|ERR_CONNECTION_REFUSED/);
  // Nothing is kept of this page before it is settled what of the one before is taken up.
  await page.locator("dialog[open] button", { hasText: "Discard" }).click();
  await page.waitForFunction(() => !window.studio.isRecovering);
  await solved(page);
  await end(first.server, "SIGKILL");
  await page.locator("#line[data-state=lost]").waitFor();
  await shoot(page, "lost");
  await page.evaluate(() => {
    const { plan } = window.studio;
    const moved = (print) => ({ ...print, position: [print.position[0] + 0.05, print.position[1], print.position[2]] });
    plan.edit(
      "move",
      plan.prints.map((print, at) => (at === 7 ? moved(print) : print)),
    );
  });
  const mine = await printAt(page, 7);
  const second = await start("--port", String(port));
  assert.equal(second.url, first.url, "a port that was asked for keeps its token");
  await page.locator("#line[data-state=open]").waitFor({ timeout: PATIENCE });
  await solved(page);
  assert.deepEqual((await planOnServer(page, "again.plan.json"))[7].position, mine.position, "no edit was lost");
  await page.waitForTimeout(2_500);
  await page.close();
  await end(second.server, "SIGKILL");

  // A page that was closed as well: what was not saved is offered, and a file of the command line does not replace it.
  const elsewhere = join(folder, "elsewhere.plan.json");
  const other = JSON.parse(readFileSync(join(work, "again.plan.json"), "utf8"));
  other.footprints[7].position[0] -= 0.03;
  writeFileSync(elsewhere, JSON.stringify(other));
  const isSettled = () => !window.studio.isRecovering;
  const third = await start(elsewhere);
  const { page: later } = await open(browser, third.url);
  const restore = later.locator("dialog[open] button.primary", { hasText: "Restore" });
  await restore.waitFor();
  await later.waitForTimeout(1_200);
  await later.reload();
  await restore.click();
  await later.waitForFunction(isSettled);
  await solved(later);
  assert.deepEqual((await printAt(later, 7)).position, mine.position, "what was not saved is taken up again");
  assert.ok(await later.locator("#unsaved").isVisible(), "and is not saved yet");
  await later.evaluate(() =>
    window.studio.files.writeAs(
      "recovered.plan.json",
      (file) => window.studio.connection.ask("save_text", { file }).answer,
      () => window.studio.plan.saved(),
    ),
  );
  await later.waitForTimeout(2_500);
  await later.close();
  await end(third.server);

  // With nothing to recover it is opened, wherever it lies: by the first window alone.
  const fourth = await start(elsewhere);
  const { page: last } = await open(browser, fourth.url);
  await last.waitForFunction(() => document.getElementById("title").textContent === "elsewhere.plan.json");
  await last.waitForFunction(isSettled);
  await solved(last);
  assert.equal((await printAt(last, 7)).position[0], other.footprints[7].position[0]);
  await last.evaluate(() => {
    const { plan } = window.studio;
    plan.edit(
      "move",
      plan.prints.map((print, at) =>
        at === 7 ? { ...print, position: [print.position[0] + 0.01, print.position[1], print.position[2]] } : print,
      ),
    );
  });
  await solved(last);
  const edited = await printAt(last, 7);
  await last.waitForTimeout(2_500);
  await last.reload();
  await last.waitForFunction(isSettled);
  await solved(last);
  assert.deepEqual((await printAt(last, 7)).position, edited.position, "a page that is loaded again has the edit");
  assert.ok(await last.locator("#unsaved").isVisible(), "and knows that it is not saved");
  await last.close();
  await end(fourth.server);
}

/** What a stranger's page or program may try. */
async function checkGuard(url) {
  const { port, pathname } = new URL(url);
  const ask = (path, headers = {}, method = "GET", body = undefined) =>
    new Promise((done, failed) => {
      const asked = request({ host: "127.0.0.1", port, path, method, headers, agent: false }, (response) => {
        let text = "";
        response.on("data", (data) => {
          text += data;
        });
        response.on("end", () => done({ status: response.statusCode, headers: response.headers, text }));
      });
      asked.on("error", failed);
      asked.end(body);
    });
  const page = await ask(pathname);
  assert.equal(page.status, 200);
  assert.match(page.headers["content-security-policy"], /default-src 'none'.*frame-ancestors 'none'/);
  assert.equal((await ask(pathname, { host: "evil.example" })).status, 403, "another Host");
  assert.equal((await ask(pathname, { host: `localhost.evil.example:${port}` })).status, 403);
  assert.equal((await ask(pathname, { origin: "http://evil.example" })).status, 403, "another Origin");
  assert.equal((await ask(pathname, { origin: "null" })).status, 403);
  for (const path of ["/", `/${"0".repeat(32)}/`, pathname.slice(0, -2), "/socket"]) {
    assert.equal((await ask(path)).status, 403, `without the token: ${path}`);
  }
  writeFileSync(join(folder, "secret.json"), "secret");
  symlinkSync(join(folder, "secret.json"), join(work, "link.json"));
  for (const path of [
    "../secret.json",
    "..%2fsecret.json",
    "%2e%2e%2fsecret.json",
    "link.json",
    "%2fetc%2fpasswd",
    "scratch:..%2f..%2fsecret.json",
  ]) {
    const answer = await ask(`${pathname}download/${path}`);
    assert.ok(
      answer.status >= 400 && !answer.text.includes("secret\n") && answer.text !== "secret",
      `${path}: ${answer.status}`,
    );
  }
  const job = (request) =>
    ask(`${pathname}job`, { "content-type": "application/json" }, "POST", JSON.stringify(request));
  for (const hostile of ["/etc/passwd", "../secret.json", "link.json", "-"]) {
    const { text } = await job({ job: "info", request: { inputs: [{ file: hostile }] } });
    assert.match(text, /is not in the folder/, hostile);
  }
  assert.equal((await ask(`${pathname}job`, {}, "POST", "{")).status, 400);
  assert.equal(
    (await ask(`${pathname}upload/big.bvh`, { "content-length": "2000000000" }, "POST")).status,
    413,
    "2 GB",
  );
  assert.equal(
    (await ask(`${pathname}upload/..%2f..%2fx.bvh`, {}, "POST", "x")).status,
    200,
    "only its last part counts",
  );
  assert.throws(() => readFileSync(join(folder, "x.bvh")));
  // A socket from another origin.
  const upgrade = (origin) =>
    new Promise((done) => {
      const socket = connect(Number(port), "127.0.0.1", () => {
        const headers = [
          "Upgrade: websocket",
          "Connection: Upgrade",
          "Sec-WebSocket-Version: 13",
          "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
          `Origin: ${origin}`,
        ];
        socket.write(`GET ${pathname}socket HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${headers.join("\r\n")}\r\n\r\n`);
      });
      socket.once("data", (data) => {
        done(String(data).split("\r\n")[0]);
        socket.destroy();
      });
    });
  assert.match(await upgrade("http://evil.example"), / 403 /);
  assert.match(await upgrade(`http://127.0.0.1:${port}`), / 101 /);
  // It listens on the loopback interface alone: whoever has the token still has to be here.
  assert.equal((await ask(pathname)).status, 200, "and lives on");
}

/** Without WebGL2 there is a message, and the rest works. */
async function checkWithoutWebGl(url) {
  const browser = await launch(["--disable-gpu", "--disable-3d-apis"]);
  const { page } = await open(browser, url);
  await solved(page);
  assert.match(await page.locator("#message").textContent(), /WebGL2/);
  assert.ok(await page.locator("#message").isVisible());
  await page.locator("#panel-plan .list button").nth(6).click();
  await page.keyboard.press("PageUp");
  await solved(page);
  assert.ok((await printAt(page, 6)).position[1] > 0.01, "the plan is edited all the same");
  await page.keyboard.press("Control+z");
  await solved(page);
  await shoot(page, "without-webgl");
  await browser.close();
}

/** Footprints are put on a terrain, and stay on it while they are dragged; undo takes them off it. */
async function checkTerrain(browser, url) {
  writeFileSync(join(work, "slope.terrain.json"), '{ "terrain": 1, "plane": { "slope": 5, "heading": 0 } }');
  const { page, complaints } = await open(browser, url);
  await solved(page);
  const start = await printAt(page, 9);
  const slope = Math.tan((5 * Math.PI) / 180);
  const isOnSlope = ({ position: [, y, z] }) => Math.abs(y - slope * z) < 1e-3;
  const list = page.locator("#panel-plan select[aria-label=Terrain]");
  await list.focus();
  await list.locator("option", { hasText: "slope" }).waitFor({ state: "attached" });
  await list.selectOption("slope.terrain.json");
  await page.waitForFunction(() => window.studio.plan.settings.terrain !== null);
  await solved(page);
  assert.ok(isOnSlope(await printAt(page, 9)), "it lies on the slope");
  await page.locator("#picture").focus();
  await page.keyboard.press("4");
  await settle(page);
  const from = await pixelOf(page, 9);
  await drag(page, from, [from[0] + 6, from[1] - 8]);
  await solved(page);
  const moved = await printAt(page, 9);
  assert.notEqual(moved.position[2], start.position[2]);
  assert.ok(isOnSlope(moved), `and stays on it: ${moved.position}`);
  assert.ok((await rowAt(page, 9)).placement.middle_60_mm < 1, "and is stepped on");
  await page.locator("#command summary").click();
  assert.match(await page.locator("#command code").textContent(), /--terrain slope\.terrain\.json/);
  await page.keyboard.press("1");
  await settle(page);
  await shoot(page, "plan-slope");
  await page.locator("#undo").click();
  await page.locator("#undo").click();
  await page.waitForFunction(() => window.studio.plan.settings.terrain === null);
  await solved(page);
  assert.deepEqual((await printAt(page, 9)).position, start.position);
  // A page that is loaded again knows that something is not saved.
  await page.locator("#panel-plan [role=listbox]").focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("PageUp");
  await solved(page);
  await page.waitForTimeout(1_200);
  await page.reload();
  await solved(page);
  assert.ok(await page.locator("#unsaved").isVisible(), "what was not saved is not forgotten");
  assert.deepEqual(complaints, []);
  await page.close();
}

/** A finger drags footprints too. */
async function checkTouch(browser, url) {
  const { page, complaints } = await open(browser, url, { hasTouch: true, viewport: { width: 820, height: 1180 } });
  await solved(page);
  await page.keyboard.press("4");
  await settle(page);
  const [x, y] = await pixelOf(page, 6);
  const before = await printAt(page, 6);
  const finger = await page.context().newCDPSession(page);
  const touch = (type, points) => finger.send("Input.dispatchTouchEvent", { type, touchPoints: points });
  await touch("touchStart", [{ x, y }]);
  for (let i = 1; i <= 4; i++) await touch("touchMove", [{ x: x + 3 * i, y }]);
  await touch("touchEnd", []);
  await solved(page);
  assert.notDeepEqual((await printAt(page, 6)).position, before.position, "a finger drags it");
  await page.keyboard.press("Control+z");
  await solved(page);
  await shoot(page, "touch");
  assert.deepEqual(complaints, []);
  await page.close();
}

/** The picture of the docs: somebody on stepping stones, and what is said of a footprint. */
async function takePicture(browser, url) {
  const { page } = await open(browser, url);
  await solved(page);
  await page.evaluate(() => window.studio.plan.open({ demo: "stones" }));
  await solved(page);
  await page.keyboard.press("f");
  await page.locator("#panel-plan .list button").nth(7).click();
  await settle(page);
  await page.evaluate(() => {
    const { plan, view } = window.studio;
    const { camera } = view.stage;
    camera.target = plan.prints[7].position.map((value, axis) => value - view.origin[axis] + (axis === 1 ? 0.7 : 0));
    [camera.distance, camera.pitch, camera.yaw] = [5.4, 0.36, camera.yaw + 0.25];
    document.getElementById("panels").scrollTop = 0;
    view.touch();
  });
  await page.waitForTimeout(1_000);
  await shoot(page, "studio");
  await page.keyboard.press("Control+z");
  await solved(page);
  await page.close();
}

let browser;
try {
  const { server, url } = await start();
  browser = await launch();
  await checkGuard(url);
  await checkPlan(browser, url);
  await checkDrops(browser, url);
  await checkTwoWindows(browser, url);
  await checkTerrain(browser, url);
  await checkTouch(browser, url);
  await checkWithoutWebGl(url);
  if (shots) await takePicture(browser, url);
  await end(server);
  assert.equal(server.exitCode, 0, "Ctrl+C is no error");
  await checkReconnect(browser);
  console.log("  the studio edits, retimes, undoes, saves, exports, reconnects and refuses strangers");
} finally {
  await browser?.close();
  for (const server of running) server.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
}
