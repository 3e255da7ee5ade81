import { join } from 'node:path'
import { build, type Rolldown } from 'vite'
import { expect, it } from 'vitest'
import demo from './vite/demo.config.ts'

it('the network of the demo needs nothing that browsers lack', { timeout: 60_000 }, async () => {
  const chunks = await bundle()
  const code = chunks.map(chunk => chunk.code).join('\n')
  const names = new Set(chunks.map(({ fileName }) => fileName))
  expect(code.length).toBeGreaterThan(100_000)
  expect(
    chunks.flatMap(({ imports, dynamicImports }) => [...imports, ...dynamicImports].filter(name => !names.has(name))),
  ).toEqual([])
  expect([...new Set(code.match(/\bprocess\.\w+|\brequire\(.{0,40}/g))]).toEqual([])
})

async function bundle(): Promise<readonly Rolldown.OutputChunk[]> {
  const { plugins, rolldownOptions } = demo.worker ?? {}
  const output = await build({
    configFile: false,
    logLevel: 'silent',
    ...(demo.define === undefined ? {} : { define: demo.define }),
    plugins: plugins?.() ?? [],
    build: {
      write: false,
      minify: false,
      rolldownOptions: {
        ...rolldownOptions,
        input: join(import.meta.dirname, '../programs/demo/network.worker.ts'),
        output: { codeSplitting: false },
      },
    },
  })
  const [{ output: files } = { output: [] }] = [output].flat() as Rolldown.RolldownOutput[]
  return files.flatMap(file => (file.type === 'chunk' ? [file] : []))
}
