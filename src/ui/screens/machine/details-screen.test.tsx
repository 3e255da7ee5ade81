// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { UNIT_COLUMNS } from '../../../folding/unit/unit-columns.ts'
import { processorName } from '../../../folding/client/processors.ts'
import { selectData } from '../../../machines/connection/client/client.selectors.ts'
import { openPage } from '../../../../test/ui/page.tsx'
import { START, startTestSystem } from '../../../../test/ui/test-system.tsx'

afterEach(cleanup)

it('lists all connections to a client, of which those that were added can be removed', async () => {
  const testSystem = startTestSystem()
  const { fleet } = testSystem.system
  const data = { info: { version: '8.5.7', id: 'abc', mach_name: 'Attic' }, config: {}, groups: {}, units: [] }
  testSystem.receiveSnapshot(data)
  fleet.send({ type: 'fleet.addClients', clients: [{ address: 'attic:7396', name: undefined }] })
  fleet.getSnapshot().context.members['@attic:7396']?.ref.send({
    type: 'link.reported',
    at: START,
    facts: [{ type: 'snapshot.received', data }],
  })
  openPage(testSystem, '/__direct__/details')
  const connections = await screen.findByRole('region', { name: 'Connections' }, { timeout: 20_000 })
  const texts = () =>
    within(connections)
      .getAllByRole('definition')
      .map(({ textContent }) => textContent)
  expect(texts()).toEqual(['127.0.0.1:7396, connected', 'attic:7396, connectedRemove attic:7396'])
  fireEvent.click(within(connections).getByRole('button', { name: 'Remove attic:7396' }))
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Connections' })).toBeNull())
})

it('gives GPUs and groups own names, which stay through reports and are told apart from models', async () => {
  const testSystem = startTestSystem()
  const gpus = { 'gpu:01:00:00': { type: 'nvidia', description: 'GeForce RTX 3060', supported: true } }
  const unit = { id: 'u', number: 1, group: '', gpus: ['gpu:01:00:00'], cpus: 1, state: 'RUN' }
  const data = {
    info: { version: '8.5.7', id: 'abc', gpus },
    config: {},
    groups: { '': { config: {} } },
    units: [unit],
  }
  testSystem.receiveSnapshot(data)
  openPage(testSystem, '/__direct__/details')
  const name = async (label: string, typed: string) => {
    const field = await screen.findByRole('textbox', { name: label }, { timeout: 20_000 })
    fireEvent.change(field, { target: { value: typed } })
    fireEvent.submit(field.closest('form') ?? field)
    // As the app routes `tags.named`.
    const { fleet, tags } = testSystem.system
    act(() => fleet.send({ type: 'fleet.chosen', choices: { tags: tags.getSnapshot().context.named } }))
  }
  await name('Own name of GeForce RTX 3060 (01:00:00)', 'Left')
  await name('Own name of Resource group Default', 'Day and night')
  const shown = () => {
    const now = selectData(testSystem.client().getSnapshot())
    const context = { machine: 'm', data: now, now: START }
    const group = UNIT_COLUMNS.find(({ name: column }) => column === 'Group Name')
    return [
      processorName({ group: '', gpu: 'gpu:01:00:00' }, now?.info),
      group?.text(now?.units[0] ?? {}, context),
      now?.info.gpus?.['gpu:01:00:00']?.description,
    ]
  }
  expect(shown()).toEqual(['Left', 'Day and night', 'GeForce RTX 3060'])
  testSystem.receiveSnapshot(data)
  expect(shown()).toEqual(['Left', 'Day and night', 'GeForce RTX 3060'])
  await name('Own name of GeForce RTX 3060 (01:00:00)', '')
  expect(shown()[0]).toBe('GeForce RTX 3060')
})
