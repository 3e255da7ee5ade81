import '../locale.ts'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { drawCharts, overview } from './charts.ts'

const docs = resolve(import.meta.dirname, '../../docs')
const charts = join(docs, 'charts')

// Whatever is of no machine any more goes.
rmSync(charts, { recursive: true, force: true })
mkdirSync(charts)
writeFileSync(join(docs, 'README.md'), overview())
for (const [name, text] of await drawCharts()) writeFileSync(join(charts, name), text)
