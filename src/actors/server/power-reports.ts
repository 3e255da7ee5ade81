import { fromCallback } from 'xstate'
import * as v from 'valibot'
import { powerReport } from '../../folding/power/report.ts'
import type { PowerEvent } from '../../machines/fleet/power/power.events.ts'
import { callServer, type CallDeps } from './server-call.ts'

/** A meter counts for five minutes. */
const PERIOD_MS = 120_000

/** Asks the server of this page what it measured, again and again. What is no report is left out. */
export function powerReports(deps: CallDeps) {
  return fromCallback<{ readonly type: 'none' }, undefined>(({ sendBack }) => {
    let isOver = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const ask = async (): Promise<void> => {
      const answer = v.safeParse(powerReport, (await callServer(deps, '/api/server/power'))?.content)
      if (isOver) return
      if (answer.success) sendBack({ type: 'power.reported', report: answer.output } satisfies PowerEvent)
      timer = setTimeout(() => void ask(), PERIOD_MS)
    }
    void ask()
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  })
}
