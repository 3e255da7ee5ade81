import '../locale.ts'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { makeDocs } from './charts.ts'

const docs = resolve(import.meta.dirname, '../../docs')

// Whatever is of no machine any more goes.
const files = await makeDocs()
rmSync(join(docs, 'charts'), { recursive: true, force: true })
mkdirSync(join(docs, 'charts'), { recursive: true })
for (const [path, text] of files) writeFileSync(join(docs, path), text)
