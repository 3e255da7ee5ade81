import { expect, it } from 'vitest'
import { excerptOf } from './server-history.ts'

it('a machine whose id others have too keeps the key that its units name', () => {
  const id = 'attic~c1a2b3c4d'
  const served = { id, name: 'Attic', os: 'linux', version: '8.5.7' }
  const { machines } = excerptOf({ machines: [served], units: [], next: null, mayGive: false })
  expect(machines).toMatchObject([{ id, info: { id: 'attic' } }])
})
