import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeDocs } from '../../docs/charts.ts'

const docs = resolve(import.meta.dirname, '../../../docs')
const STALE = 'The statecharts in docs/ are stale. Run `npm run docs` and commit what it writes.'

describe('the documentation', () => {
  it('shows every machine and model as it is now', async () => {
    const files = await makeDocs()
    const stale = [...files]
      .filter(([path, text]) => !existsSync(join(docs, path)) || readFileSync(join(docs, path), 'utf8') !== text)
      .map(([path]) => path)
    const abandoned = readdirSync(join(docs, 'charts')).filter(name => !files.has(`charts/${name}`))
    expect({ stale, abandoned }, STALE).toEqual({ stale: [], abandoned: [] })
    expect(files.size).toBeGreaterThan(20)
  })
})
