/** Holds the table of who may import whom. A run that saw no modules has checked nothing, and fails. */
import { cruise } from 'dependency-cruiser'
import extractConfig from 'dependency-cruiser/config-utl/extract-depcruise-config'
import extractTsConfig from 'dependency-cruiser/config-utl/extract-ts-config'

const config = await extractConfig('./scripts/import-rules.cjs')
const folders = ['src', 'programs', 'models', 'test', 'scripts']
const { output } = await cruise(
  folders,
  { ...config.options, validate: true, ruleSet: config, outputType: 'json' },
  undefined,
  {
    tsConfig: extractTsConfig('tsconfig.json'),
  },
)
const { summary, modules } = JSON.parse(String(output))
const ours = modules.filter((/** @type {{ source: string }} */ { source }) => source.startsWith('src/'))
if (ours.length === 0) {
  console.error('The import law saw 0 modules of src: it has checked nothing.')
  process.exit(1)
}
for (const { rule, from, to } of summary.violations) console.error(`${rule.name}: ${from} → ${to}`)
console.log(`${ours.length} modules of src, ${summary.violations.length} violations`)
process.exit(summary.violations.length > 0 ? 1 : 0)
