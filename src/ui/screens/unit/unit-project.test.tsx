// @vitest-environment jsdom
import { cleanup, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { openPage } from '../../../../test/ui/page.tsx'
import { startTestSystem } from '../../../../test/ui/test-system.tsx'

afterEach(cleanup)

it('says that the description of the project is being loaded [7.4]', async () => {
  const testSystem = startTestSystem()
  testSystem.receiveSnapshot({
    info: { version: '8.5.7', id: 'abc', mach_name: 'Attic' },
    config: {},
    groups: { '': { config: {} } },
    units: [{ id: 'u1', number: 1, group: '', state: 'RUN', assignment: { project: 18420 } }],
  })
  openPage(testSystem, '/unit/u1')
  expect(await screen.findByText('Downloading project description.', {}, { timeout: 20_000 })).toBeDefined()
})
