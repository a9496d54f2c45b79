// A picture of a page of the player, for the docs.
//
//   node tools/browser/screenshot.mjs CHROMIUM PAGE.html OUT.png [SHOW] [SECONDS] [light|dark]
//
// Needs playwright-core, as player.mjs does.

import { createRequire } from "node:module";
import { join, resolve } from "node:path";

const [chromiumPath, file, out, show = "0", seconds = "0", theme = "light"] = process.argv.slice(2);
const require = createRequire(join(process.env.SUREFOOT_NODE_MODULES ?? process.cwd(), "package.json"));
const { chromium } = require("playwright-core");

const browser = await chromium.launch({
  executablePath: chromiumPath,
  args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
});
const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, colorScheme: theme });
await page.goto(`file://${resolve(file)}`);
await page.waitForFunction(() => window.surefoot !== undefined);
await page.evaluate(
  ([show, seconds]) => {
    window.surefoot.open(Number(show));
    window.surefoot.playback.seek(Number(seconds));
  },
  [show, seconds],
);
await page.waitForTimeout(1000);
await page.screenshot({ path: out });
await browser.close();
