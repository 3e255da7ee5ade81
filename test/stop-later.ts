import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach } from 'vitest'

type Stoppable = { readonly stop: () => unknown }

/** Stops what a test started when it ends, the last one first. */
export function useStopLater() {
  const running: Stoppable[] = []
  afterEach(async () => {
    for (const started of running.splice(0)) await started.stop()
  }, 60_000)
  return <Started extends Stoppable>(started: Started): Started => {
    running.unshift(started)
    return started
  }
}

/** A folder in place of the built dashboard, for the tests of one file. */
export function useDashboardFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'foldboard-dist-'))
  writeFileSync(join(folder, 'index.html'), '<!doctype html><head><title>Foldboard</title></head>')
  writeFileSync(join(folder, 'appearance.js'), '1')
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
