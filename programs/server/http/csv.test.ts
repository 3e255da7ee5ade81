import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { csv } from './csv.ts'

async function fileOf(rows: number): Promise<string> {
  const app = new Hono()
  const items = Array.from({ length: rows }, (_, index) => index)
  app.get('/', context => csv(context, items, index => ({ index, text: `=${index}` }), 'file.csv'))
  return (await app.request('/')).text()
}

test('a file of many rows has one line of columns, and no formulas', async () => {
  const lines = (await fileOf(1201)).split('\n')
  expect(lines).toEqual(['index,text', ...Array.from({ length: 1201 }, (_, index) => `${index},'=${index}`)])
})

test('a file without rows is empty', async () => {
  expect(await fileOf(0)).toBe('')
})
