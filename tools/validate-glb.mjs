// Runs the Khronos validator on glTF files; exits with 1 if any has an error or a warning.
//
//   npm install --prefix DIR gltf-validator
//   node tools/validate-glb.mjs DIR FILE...
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";

const [folder, ...files] = process.argv.slice(2);
const validator = createRequire(resolve(folder, "package.json"))("gltf-validator");
let failed = files.length === 0;
for (const file of files) {
  const report = await validator.validateBytes(new Uint8Array(readFileSync(file)), { maxIssues: 100 });
  const { numErrors, numWarnings, numInfos, numHints, messages } = report.issues;
  console.log(`${file}: ${numErrors} errors, ${numWarnings} warnings, ${numInfos} infos, ${numHints} hints`);
  // 0 is an error, 1 a warning; infos name what is odd but right, such as end sites that hold nothing.
  for (const { code, message, pointer } of messages.filter((issue) => issue.severity < 2)) {
    console.log(`  ${code} ${pointer ?? ""}: ${message}`);
  }
  failed ||= numErrors + numWarnings > 0;
}
process.exit(failed ? 1 : 0);
