import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startNetwork, type Network } from '../../programs/network/index.ts'
import { findFaults } from '../end-to-end/layout-faults.ts'
import { PASSWORD, clientOf, useService } from '../server-service.ts'
import type { Engine } from './engine.ts'
import { isFirefoxInstalled, startFirefox } from './firefox.ts'
import { PATIENCE, called, personAt } from './person.ts'
import { isWebKitInstalled, startWebKit } from './webkit.ts'

const ENGINES = [
  { name: 'Firefox', isThere: isFirefoxInstalled(), start: startFirefox },
  { name: 'WebKit', isThere: isWebKitInstalled(), start: startWebKit },
]

const DIST = join(import.meta.dirname, '../../dist')
const SCREENS = ['/machines', '/attention', '/wus', '/stats', '/projects', '/news', '/about', '/account/settings']
const WIDTHS = [390, 1280]
/** Milliseconds after which a fault of the layout is one. */
const SETTLED = 10_000

const ENTER = '\uE007'
const ACCOUNT = `document.querySelector('header a[href^="/account"]')`
const MACHINE = `document.querySelector('main h2 a')`
/** In the grid of units. */
const RUNNING_UNIT = `[...document.querySelectorAll('main [role=row]')].find(row => /Running/.test(row.textContent))`

/** Counts in `drawnColors` how many colors are in what WebGL draws, before it is put on the screen. */
const WATCH_DRAWING = `(() => {
  const { drawElements, drawElementsInstanced, drawArrays, drawArraysInstanced } = WebGL2RenderingContext.prototype
  const small = Object.assign(document.createElement('canvas'), { width: 64, height: 64 }).getContext('2d')
  globalThis.drawnColors = 0
  const count = gl => {
    small.clearRect(0, 0, 64, 64)
    small.drawImage(gl.canvas, 0, 0, 64, 64)
    const colors = new Set(new Uint32Array(small.getImageData(0, 0, 64, 64).data.buffer))
    drawnColors = Math.max(drawnColors, colors.size)
  }
  for (const draw of [drawElements, drawElementsInstanced, drawArrays, drawArraysInstanced])
    WebGL2RenderingContext.prototype[draw.name] = function (...all) {
      draw.apply(this, all)
      queueMicrotask(() => count(this))
    }
})()`

describe.each(ENGINES)('in $name', ({ name, isThere, start }) => {
  if (!isThere) {
    it.skip(`nothing is tested: ${name} is not installed`, () => undefined)
    return
  }
  const { start: startServer, client, people } = useService()
  let network: Network
  let engine: Engine
  let person: ReturnType<typeof personAt>

  beforeAll(async () => {
    network = await startNetwork({
      port: 0,
      data: undefined,
      seed: 7,
      machines: 2,
      keyBits: 1024,
      accountKeyBits: 1024,
    })
    await network.online()
    engine = await start()
    person = personAt(engine)
    await engine.open(`${network.dashboardUrl}/machines`)
    await engine.resize(1280, 844)
  }, PATIENCE * 2)
  afterAll(async () => {
    await engine.stop()
    await network.stop()
  })

  /** The address of a machine's page. */
  const pageOf = async (): Promise<string> => {
    await person.follow('/machines')
    await person.until(MACHINE)
    return String(await engine.evaluate(`${MACHINE}.getAttribute('href')`))
  }

  it('a person signs in, and still is after a reload', async () => {
    const { until, press, write } = person
    await press(called('header button', /^Login$/))
    await press(`document.querySelector('[role=dialog] input')`)
    await write(network.account.email)
    await press(`document.querySelector('[role=dialog] input[type=password]')`)
    await write(network.account.passphrase + ENTER)
    await until(ACCOUNT)
    await engine.open(`${network.dashboardUrl}/machines`)
    await until(`${ACCOUNT} && ${MACHINE}`)
  }, 300_000)

  it('no screen is too wide, cut off or covered', async () => {
    const { until, follow } = person
    const machine = await pageOf()
    const faults: string[] = []
    for (const path of [
      ...SCREENS,
      machine,
      ...['units', 'log', 'settings', 'details'].map(name => `${machine}/${name}`),
    ]) {
      await follow(path)
      await until(`!document.querySelector('[aria-busy=true]') && document.fonts.status === 'loaded'`)
      for (const width of WIDTHS) {
        await engine.resize(width, 844)
        await until(`innerWidth === ${width}`)
        const faultsNow = () => engine.evaluate(`(${findFaults.toString()})()`)
        // The page may still follow the window's new width.
        await expect
          .poll(faultsNow, { timeout: SETTLED })
          .toEqual([])
          .catch(() => undefined)
        const found = await faultsNow()
        if (JSON.stringify(found) !== '[]') faults.push(`${path} ${width}: ${JSON.stringify(found)}`)
      }
    }
    expect(faults.join('\n')).toBe('')
  }, 600_000)

  it('unsaved changes are not left without a question', async () => {
    const { until, press, write, follow } = person
    await follow('/account/settings')
    await press(`document.querySelector('main input[type=text], main input:not([type])')`)
    await write('x')
    await press(called('nav a', /^News$/))
    await press(called('[role=alertdialog] button, [role=dialog] button', /^Discard$/))
    await until(`location.pathname === '/news'`)
  }, 300_000)

  it('the history of work units is saved as CSV', async () => {
    await person.follow('/wus')
    await person.press(called('main button', /^Export CSV$/))
    // Firefox writes to a file of another name, and lets an empty one stand for it.
    const textOf = (): string => {
      const file = engine.downloads().find(path => /work-units-\d{4}-\d\d-\d\d\.csv$/.test(path))
      return file === undefined ? '' : readFileSync(file, 'utf8')
    }
    await expect.poll(textOf, { timeout: PATIENCE }).toMatch(/^\uFEFF?[^\n]*Project[^\n]*\n./)
  }, 300_000)

  it('a log is searched', async () => {
    const { until, press, write, follow } = person
    await follow(`${await pageOf()}/log`)
    await press(`document.querySelector('main input[type=search]')`)
    await write('Completed')
    await until(`document.querySelector('main mark')?.textContent === 'Completed'`)
  }, 300_000)

  it('a molecule is drawn', async () => {
    const { until, follow } = person
    await follow('/machines?layout=units')
    await until(RUNNING_UNIT)
    await follow(
      String(await engine.evaluate(`${RUNNING_UNIT}.querySelector('a[href^="/unit/"]').getAttribute('href')`)),
    )
    const view = `document.querySelector('main a[href*="/view/"]')`
    await until(view)
    const path = await engine.evaluate(`${view}.getAttribute('href')`)
    await engine.evaluate(WATCH_DRAWING)
    await follow(String(path))
    await until('drawnColors > 20')
  }, 300_000)

  it('a schedule is dragged', async () => {
    const { until, press, write, boxOf, drag } = person
    const { origin } = await startServer(`${people()}\n${clientOf(await client(), ['state'])}`, {
      dist: DIST,
    })
    await engine.open(`${origin}/schedules`)
    await press(`document.querySelector('input[name=name]')`)
    await write('administrator')
    await press(`document.querySelector('input[name=password]')`)
    await write(PASSWORD + ENTER)
    await press(called('main button', /^Nights$/))
    await press(called('main label', /^All machines$/))
    await press(called('main button', /^Save schedule$/))
    await until(String.raw`/Fold: Every day 10:00\sPM/.test(document.querySelector('main').textContent)`)
    const { x, y, width } = await boxOf(
      `[...document.querySelectorAll('main button')].filter(element => /^Fold: Schedule “Nights”/.test(element.getAttribute('aria-label')))[2]`,
    )
    const hour = width / 8
    const [from, to] = [x + width / 2, x + width / 2 - 2.5 * hour]
    await drag([from, from - hour, to].map(at => ({ x: at, y: y + 16 })))
    await until(
      String.raw`/Every day 7:30\sPM/.test(document.querySelector('main [role=group] [role=status]')?.textContent)`,
    )
  }, 300_000)
})
