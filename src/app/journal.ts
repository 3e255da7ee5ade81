import { t } from '@lingui/core/macro'
import type { AnyActorRef } from 'xstate'
import { LoadError, loadErrorText, loadFaultText } from '../folding/shared/load-fault.ts'
import type { FileFault } from '../journal/file.ts'
import { createRecorder, type Recorder } from '../journal/recorder.ts'
import { downloadFile } from '../loading/download-file.ts'
import { whenIdle } from '../loading/when-idle.ts'
import { loadCode } from '../loading/load-code.ts'
import type { System } from '../machines/app/system.ts'
import type { PlayerRef } from '../machines/screens/player/player.machine.ts'
import { SECRET_NAMES } from '../protocol/secret-names.ts'
import type { Journal } from '../ui/journal/journal-context.ts'
import type { Settings } from './settings.ts'

const MEGABYTE = 1024 * 1024

/** Undefined when recording is turned off by the settings. */
export function pageRecorder(
  { journalEvents, journalMegabytes }: Settings,
  window: Window,
  now: () => number,
): Recorder | undefined {
  return journalEvents === 0 || journalMegabytes === 0
    ? undefined
    : createRecorder({
        now,
        timers: {
          setTimeout: (run, ms) => window.setTimeout(run, ms),
          clearTimeout: timer => window.clearTimeout(timer as number),
        },
        whenIdle: run => whenIdle(run, 1000),
        secretNames: SECRET_NAMES,
        maxEvents: journalEvents,
        maxBytes: journalMegabytes * MEGABYTE,
      })
}

function loadReplay() {
  return loadCode(() => import('./replay/open-recording.ts'))
}

const faultTexts: Readonly<Record<FileFault, string>> = {
  'not-a-recording': t`This file is not a Foldboard recording.`,
  'older-version': t`This recording was made by an older version of Foldboard and can no longer be opened.`,
  'other-version': t`This recording was made by another version of Foldboard. Open it with that version.`,
  damaged: t`This recording is damaged: part of it is missing or unreadable.`,
  'too-large': t`This file is too large. Recordings have at most 64 MB, or 256 MB uncompressed.`,
}

type JournalDeps = {
  readonly live: System
  readonly recorder: Recorder
  readonly document: Document
  readonly now: () => number
}

/** Opens, shows and saves recordings. The code of the replay is loaded on demand. */
export function createJournal({ live, recorder, document, now }: JournalDeps): Journal {
  const listeners = new Set<() => void>()
  let system = live
  let player: PlayerRef | undefined
  // Opening is asynchronous: the result is discarded when something else was opened or closed meanwhile.
  let opening = 0
  const change = (next: System): void => {
    system = next
    for (const listener of listeners) listener()
  }
  const showError = (title: string, text: string): void =>
    live.dialogs.send({ type: 'dialogs.showMessage', message: { level: 'error', title, text } })
  const close = (): void => {
    opening += 1
    player?.stop()
    player = undefined
    change(live)
  }
  const show = async (
    open: (opening: { show: (system: System) => void; now: () => number }) => Promise<PlayerRef | FileFault>,
  ): Promise<void> => {
    const openingId = ++opening
    let isShown = false
    let first = live
    const opened = await open({ show: shown => (isShown ? change(shown) : (first = shown)), now }).catch(
      (error: unknown) => (error instanceof LoadError ? error : ('damaged' as const)),
    )
    if (openingId !== opening) {
      if (isPlayer(opened)) opened.stop()
      return
    }
    if (!isPlayer(opened)) {
      showError(
        t`This recording cannot be opened`,
        opened instanceof LoadError ? loadFaultText(opened.fault) : faultTexts[opened],
      )
      return
    }
    player?.stop()
    player = opened
    isShown = true
    change(first)
  }
  // After each step of these dialogs, typed secrets may no longer be needed.
  for (const ref of [live.signIn, live.reset, live.verify] as readonly AnyActorRef[]) {
    let before: unknown
    ref.subscribe(snapshot => {
      const { value } = snapshot as { readonly value?: unknown }
      if (value !== before) recorder.forgetSecrets()
      before = value
    })
  }
  let wasSignedIn = false
  live.account.subscribe(snapshot => {
    const isLeaving = wasSignedIn && !snapshot.hasTag('signedIn')
    wasSignedIn = snapshot.hasTag('signedIn')
    if (!isLeaving) return
    close()
    recorder.forgetPast()
  })
  return {
    subscribe: listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    system: () => system,
    player: () => player,
    // Starts at the present.
    replaySession: () =>
      void show(async opening => {
        const { openRecording } = await loadReplay()
        const opened = await openRecording(recorder.recording(), true, opening)
        opened.send({ type: 'player.seek', at: Infinity })
        return opened
      }),
    open: () => chooseFile(document, file => void show(async opening => (await loadReplay()).openFile(file, opening))),
    close,
    save: async ({ usesPseudonyms }) => {
      try {
        const { saveFile } = await loadReplay()
        downloadFile(
          await saveFile(recorder.recording(), recorder.mask, usesPseudonyms),
          `foldboard-${new Date(now()).toISOString().slice(0, 16).replace(':', '-')}.gz`,
        )
      } catch (error) {
        showError(t`The recording was not saved`, loadErrorText(error) ?? t`The file could not be created.`)
      }
    },
    recordError: recorder.recordError,
  }
}

function isPlayer(opened: PlayerRef | FileFault | LoadError): opened is PlayerRef {
  return typeof opened !== 'string' && !(opened instanceof LoadError)
}

function chooseFile(document: Document, choose: (file: Blob) => void): void {
  const input = document.createElement('input')
  input.type = 'file'
  input.accept = '.gz,application/gzip'
  input.addEventListener('change', () => {
    const [file] = input.files ?? []
    if (file !== undefined) choose(file)
  })
  input.click()
}
