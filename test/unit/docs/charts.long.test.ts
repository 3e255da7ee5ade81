import { expect, test } from 'vitest'
import { drawCharts } from '../../docs/charts.ts'
import { machines, models } from '../../statecharts.ts'

test('every machine and model can be drawn', async () => {
  const charts = await drawCharts()
  expect(charts.size).toBe(machines.length + models.length)
  for (const drawing of charts.values()) expect(drawing.match(/data-part="name"/g)?.length).toBeGreaterThan(0)
})
