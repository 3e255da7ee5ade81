/*
 * Writes src/folding/client/gpu-names.ts from the list of PCI ids (https://github.com/pciutils/pciids, pci.ids):
 * `node scripts/gpu-names.mjs <pci.ids>`. Only GPUs of AMD since 2015: their drivers name the instruction set instead of the model.
 */
import { readFileSync, writeFileSync } from 'node:fs'

const CHIPS =
  /^(?:Fiji|Ellesmere|Baffin|Polaris|Lexa|Vega|Navi|Arcturus|Aldebaran|Aqua|Rembrandt|Phoenix|Strix|Krackan|Granite|Gorgon)/
const OTHER_PARTS = /audio|USB|port of|MxGPU| VF\]| HF\]|Barco|Mobile|WX|Radeon Pro \d|V\d+0X|\[Radeon Graphics\]/i

const [path] = process.argv.slice(2)
if (path === undefined) throw new Error('Name the file pci.ids.')
const list = readFileSync(path, 'utf8')
const version = /Version: (\S+)/.exec(list)?.[1]
const [, devices = ''] = /^1002 .*\n((?:[\t#].*\n)*)/m.exec(list) ?? []
const lines = [...devices.matchAll(/^\t([0-9a-f]{4}) {2}(.*)$/gm)].flatMap(([, id, name = '']) => {
  const model = /\[([^\]]+)\]$/.exec(name)?.[1]
  return model === undefined || !CHIPS.test(name) || OTHER_PARTS.test(name) || /^Polaris/.test(model)
    ? []
    : [`${id} ${model.replace(/^AMD /, '')}`]
})
const rows = ['']
for (const entry of lines) {
  if ((rows.at(-1)?.length ?? 0) + entry.length > 116) rows.push('')
  rows[rows.length - 1] += `${entry}; `
}
writeFileSync(
  'src/folding/client/gpu-names.ts',
  `/* Models of AMD's GPUs by their PCI ids, written by scripts/gpu-names.mjs from pci.ids ${version}. */
export const AMD_GPUS = \`
${rows.map(row => row.trimEnd()).join('\n')}
\`
`,
)
