// Makes vendor/measure/leaflet-measure.js from the npm package leaflet-measure: its five templates are compiled here, once. lodash
// would compile them in the browser, which needs 'unsafe-eval'; the page's content security policy forbids that.
//
//     npm pack leaflet-measure@3.1.0 && tar xzf leaflet-measure-3.1.0.tgz
//     node assets/make_measure.js package/dist/leaflet-measure.js > assets/vendor/measure/leaflet-measure.js

const { readFileSync } = require("node:fs");
const vm = require("node:vm");

const bundle = readFileSync(process.argv[2], "utf8"), compiled = [];
const context = vm.createContext({ console });
vm.runInContext(`
  const own = Function;
  globalThis.seen = [];
  globalThis.Function = new Proxy(own, { apply: (_, here, parts) => { seen.push(parts.map(String)); return own(...parts); } });
  const any = new Proxy(function () {}, { get: (_, name) => name === Symbol.toPrimitive ? () => "" : any, apply: () => any, construct: () => ({}) });
  globalThis.L = any;
`, context);
vm.runInContext(bundle, context);
for (const [names, body] of vm.runInContext("seen", context)) if (names.includes("numberFormat")) compiled.push([names, body]);

let place = 0;
const made = bundle.replace(/\(0,i\.default\)\(m\.\w+Template,y\)/g, () => {
  return `window.measureTemplates[${place++}](d.numberFormat,{escape:String})`;
});
if (place !== 5 || compiled.length !== 5) throw new Error(`${place} places and ${compiled.length} templates where 5 were expected`);
if (!compiled.every(([names]) => names === "numberFormat,_")) throw new Error(compiled.map(([names]) => names).join(" | "));
// The bundle is in strict mode, in which templates fail; so they are outside it.
const templates = compiled.map(([, body]) => `function(numberFormat,_){${body}}`);
process.stdout.write(`window.measureTemplates=[${templates.join(",")}];\n${made}`);
