// @vitest-environment jsdom
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
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
