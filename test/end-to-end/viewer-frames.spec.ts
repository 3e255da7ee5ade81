import { serveAlone } from '../../programs/network/index.ts'
import { clientData, startScriptedClient, unitData } from './scripted-client.ts'
import { picture } from './molecule-view.ts'
import { expect, test } from './fixtures.ts'

function atoms(count: number) {
  return {
    atoms: Array.from({ length: count }, () => ['CA', 0.1, 1.7, 12]),
    bonds:
      count > 1
        ? [
            [0, 1],
            [0, 99],
          ]
        : [],
  }
}
function places(count: number) {
  return Array.from({ length: count }, (_, at) => [at, at * 2, 0])
}

test('reports what is missing or invalid in a molecule: frames, atoms, positions, the unit, the connection', async ({
  page,
  stopAfterTest,
}) => {
  // Frames do not play.
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const units = [
    unitData({ frames: 2 }),
    unitData({ id: 'early', number: 2 }),
    unitData({ id: 'none', number: 3, frames: 2 }),
  ]
  const client = stopAfterTest(await startScriptedClient(clientData({ units })))
  const { dashboardUrl } = stopAfterTest(await serveAlone({ port: 0, client: client.address }))
  const main = page.getByRole('main')
  const open = async (unit: string): Promise<void> => {
    await page.goto(`${dashboardUrl}/__direct__/view/${unit}`)
    await expect
      .poll(() => client.untakenCommands())
      .toContainEqual(expect.objectContaining({ cmd: 'viz', unit, frame: 0 }))
  }
  await open('early')
  await expect(main).toContainText('No frames yet')
  await open('nobody')
  await expect(main).toContainText('This work unit is not on the machine')
  await open('none')
  client.say(['viz', 'none', 'frames', 0, places(3)])
  await expect(main).toContainText('No atoms')
  client.say(['viz', 'none', 'topology', atoms(0)])
  await expect(main).toContainText('0 atoms for this work unit, so there is nothing to draw')
  await open('unit-1')
  client.say(['viz', 'unit-1', 'topology', atoms(3)])
  await expect(main).toContainText('No positions')
  client.say(['viz', 'unit-1', 'frames', 0, places(2)])
  await expect(main).toContainText('1 frame with a different number of atoms')
  client.say(['viz', 'unit-1', 'frames', 0, places(3)], ['viz', 'unit-1', 'frames', 1, [...places(2), [1e39, 0, 0]]])
  await expect(picture(page)).toBeVisible()
  await expect(main).toContainText('1 frame cannot be shown')
  await expect(main).toContainText('Some of the machine’s data is invalid. Expected indexes of atoms')
  await page.keyboard.press('l')
  await expect(page.getByRole('region', { name: /^Legend/ })).toContainText('guessed from names')
  await page.keyboard.press('ArrowRight')
  await expect(main).toContainText('1 atom has no position in this frame and is not drawn.')
  client.drop()
  client.stop()
  await expect(main).toContainText('The machine is not connected. Showing the frames it sent before.')
})
