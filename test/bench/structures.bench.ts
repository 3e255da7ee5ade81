import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type Page } from '@playwright/test'
import type { molecules as Molecules } from '../molecule/page.ts'
import { openMoleculePage } from '../molecule/serve.ts'
import { report } from './figures.ts'

declare const molecules: typeof Molecules

/** Structures of the Protein Data Bank, `<id>.pdb`. */
const folder = process.env['FOLDBOARD_STRUCTURES'] ?? join(import.meta.dirname, '..', '..', '..', 'shared', 'data')
/** `dist/ngl.js` of the npm package `ngl`, to compare with. */
const nglScript = process.env['FOLDBOARD_NGL']

const STYLES = [
  { style: 4, name: 'cartoon', ngl: 'cartoon', goal: 33 },
  { style: 5, name: 'surface', ngl: 'surface', goal: 33 },
  { style: 3, name: 'sticks', ngl: 'licorice', goal: 100 },
] as const

/** A viewer first finds the quality that is fast enough. */
const WARM_UP = 4
const SECONDS = 6
const SIZE = { width: 1280, height: 720 }

type Turned = { readonly first: number; readonly rate: number }

test.use({ viewport: SIZE })

for (const id of ['1CKB', '2SRC', '3SN6'])
  test(`structures: ${id}`, async ({ page, browser }, info) => {
    test.setTimeout(600_000)
    const file = join(folder, `${id}.pdb`)
    test.skip(!existsSync(file), `There is no ${id}.pdb in ${folder}.`)
    const text = readFileSync(file, 'utf8')
    await openMoleculePage(page)
    const longest = await openOurs(page, text)
    await report(info, [
      { name: 'cartoon: the longest task until it is at rest, 0 below 50', value: longest, unit: 'ms', goal: 50 },
    ])
    for (const { style, name, ngl, goal } of STYLES) {
      const ours = await turnOurs(page, text, style)
      const figures = [
        { name: `${name}: from the file to the first picture`, value: ours.first, unit: 'ms' },
        { name: `${name}: pictures a second while turning`, value: ours.rate, unit: '' },
      ]
      if (nglScript !== undefined) {
        const other = await browser.newPage({ viewport: SIZE })
        const theirs = await turnNgl(other, nglScript, text, ngl)
        await other.close()
        figures.push(
          { name: `${name}: from the file to the first picture, NGL`, value: theirs.first, unit: 'ms' },
          { name: `${name}: pictures a second while turning, NGL`, value: theirs.rate, unit: '' },
          Object.assign(
            { name: `${name}: NGL’s pictures`, value: (theirs.rate / ours.rate) * 100, unit: '%' },
            { goal },
          ),
        )
      }
      await report(info, figures)
    }
  })

/** The milliseconds of the longest task of the page, of those that browsers report: 50 or more. */
function openOurs(page: Page, text: string): Promise<number> {
  return page.evaluate(async text => {
    const sample = molecules.readPdb(text)
    await new Promise(done => setTimeout(done, 500))
    let longest = 0
    const observer = new PerformanceObserver(list => {
      longest = Math.max(longest, ...list.getEntries().map(({ duration }) => duration))
    })
    observer.observe({ type: 'longtask' })
    const viewer = molecules.open(sample, { style: 4, coloring: 'residue', showsSolvent: false })
    Object.assign(globalThis, { shown: viewer })
    await molecules.until(viewer, ({ framesDrawn, isAtRest }) => framesDrawn > 0 && isAtRest)
    // Tasks are reported after they ended.
    await new Promise(done => setTimeout(done, 200))
    observer.disconnect()
    // What is still being drawn is no part of the next figure.
    viewer.pick(640, 360)
    return longest
  }, text)
}

function turnOurs(page: Page, text: string, style: 3 | 4 | 5): Promise<Turned> {
  return page.evaluate(
    async ({ text, style, warmUp, seconds }) => {
      const store = globalThis as unknown as { shown?: ReturnType<typeof molecules.open> }
      store.shown?.dispose()
      const started = performance.now()
      const viewer = molecules.open(molecules.readPdb(text), { style, showsSolvent: false })
      store.shown = viewer
      await molecules.until(viewer, ({ framesDrawn, surfaceShare }) => framesDrawn > 0 && (surfaceShare ?? 1) === 1)
      viewer.pick(640, 360)
      const first = performance.now() - started
      let camera = molecules.fitCamera()
      const turn = async (seconds: number) => {
        const before = (await molecules.until(viewer, () => true)).framesDrawn
        const began = performance.now()
        while (performance.now() - began < seconds * 1000) {
          camera = molecules.turnCamera(camera, [0.2, 1, 0], 0.03)
          viewer.setCamera(camera)
          await new Promise(requestAnimationFrame)
        }
        // What is still on its way to the screen counts.
        viewer.pick(640, 360)
        const { framesDrawn } = await molecules.until(viewer, () => true)
        return ((framesDrawn - before) / (performance.now() - began)) * 1000
      }
      await turn(warmUp)
      return { first, rate: await turn(seconds) }
    },
    { text, style, warmUp: WARM_UP, seconds: SECONDS },
  )
}

/** What is used of NGL 2.5: https://nglviewer.org/ngl/api/. */
type Ngl = {
  readonly Stage: new (
    place: HTMLElement,
    options: object,
  ) => {
    readonly viewer: {
      readonly renderer: { getContext: () => WebGLRenderingContext }
      readonly signals: { readonly rendered: { add: (listen: () => void) => void } }
    }
    readonly viewerControls: { spin: (axis: readonly number[], angle: number) => void }
    readonly loadFile: (
      file: Blob,
      options: object,
    ) => Promise<{
      readonly addRepresentation: (name: string) => object
      readonly autoView: (ms: number) => void
    }>
    readonly tasks: { onZeroOnce: (listen: () => void) => void }
  }
}

async function turnNgl(page: Page, script: string, text: string, style: string): Promise<Turned> {
  await page.setContent('<!doctype html><style>body{margin:0}div{width:100vw;height:100vh}</style><div></div>')
  await page.addScriptTag({ path: script })
  return page.evaluate(
    async ({ text, style, warmUp, seconds }) => {
      const { NGL } = globalThis as unknown as { readonly NGL: Ngl }
      const place = document.querySelector('div')
      if (place === null) throw new Error('The page has no place for NGL.')
      const started = performance.now()
      const stage = new NGL.Stage(place, { backgroundColor: 'white' })
      let pictures = 0
      stage.viewer.signals.rendered.add(() => (pictures += 1))
      const gl = stage.viewer.renderer.getContext()
      const finish = () => gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4))
      const structure = await stage.loadFile(new Blob([text]), { ext: 'pdb' })
      structure.addRepresentation(style)
      structure.autoView(0)
      await new Promise<void>(done => stage.tasks.onZeroOnce(done))
      const before = pictures
      stage.viewerControls.spin([0, 1, 0], 0.001)
      while (pictures === before) await new Promise(requestAnimationFrame)
      finish()
      const first = performance.now() - started
      const turn = async (seconds: number) => {
        const before = pictures
        const began = performance.now()
        while (performance.now() - began < seconds * 1000) {
          stage.viewerControls.spin([0.2, 1, 0], 0.03)
          await new Promise(requestAnimationFrame)
        }
        finish()
        return ((pictures - before) / (performance.now() - began)) * 1000
      }
      await turn(warmUp)
      return { first, rate: await turn(seconds) }
    },
    { text, style, warmUp: WARM_UP, seconds: SECONDS },
  )
}
