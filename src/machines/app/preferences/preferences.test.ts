import { describe, expect, it } from 'vitest'
import { startChild } from '../../../../test/child.ts'
import type { Preferences } from './preferences.events.ts'
import { defaultPreferences, preferencesMachine } from './preferences.machine.ts'
import { isCompact, selectColumns, selectPreferences } from './preferences.selectors.ts'

function startPreferences(input: Preferences = defaultPreferences) {
  const saved: Preferences[] = []
  const { actor, received } = startChild(
    preferencesMachine.provide({ actions: { keepPreferences: (_, preferences) => saved.push(preferences) } }),
    input,
  )
  return { actor, received, saved, snapshot: () => actor.getSnapshot() }
}

describe('the preferences', () => {
  it('are saved and sent to other tabs when the user changes them', () => {
    const { actor, received, saved, snapshot } = startPreferences()
    actor.send({ type: 'preferences.change', change: { compact: true } })
    const changed = { ...defaultPreferences, compact: true }
    expect(selectPreferences(snapshot())).toEqual(changed)
    expect(saved).toEqual([changed])
    expect(received).toEqual([{ type: 'preferences.saved', preferences: changed }])
  })

  it('show a preview, which is neither saved nor sent, until it ends', () => {
    const { actor, received, saved, snapshot } = startPreferences()
    actor.send({ type: 'preferences.preview', appearance: { theme: 'dark', wide: true } })
    expect(snapshot().context.shown.theme).toBe('dark')
    expect(snapshot().context.shown.wide).toBe(true)
    actor.send({ type: 'preferences.preview', appearance: undefined })
    expect(selectPreferences(snapshot())).toEqual(defaultPreferences)
    expect(saved).toEqual([])
    expect(received).toEqual([])
  })

  it('follow the account when its appearance changes, and keep local changes until then', () => {
    const { actor, snapshot } = startPreferences()
    actor.send({ type: 'preferences.applyAccount', appearance: { compact: true } })
    actor.send({ type: 'preferences.change', change: { compact: false } })
    actor.send({ type: 'preferences.applyAccount', appearance: { compact: true } })
    expect(isCompact(snapshot())).toBe(false)
    actor.send({ type: 'preferences.applyAccount', appearance: { compact: true, wide: true } })
    expect(isCompact(snapshot())).toBe(true)
    expect(snapshot().context.shown.wide).toBe(true)
  })

  it('reset what only an account can set after signing out', () => {
    const { actor, snapshot } = startPreferences()
    actor.send({
      type: 'preferences.applyAccount',
      appearance: { compact: true, columns: ['ETA'], hidesEmptyGroups: true },
    })
    expect(selectColumns(snapshot())).toEqual(['ETA'])
    expect(snapshot().context.shown.hidesEmptyGroups).toBe(true)
    actor.send({ type: 'preferences.resetAccount' })
    expect(selectPreferences(snapshot())).toEqual({ ...defaultPreferences, compact: true })
  })

  it('take over what another tab changed, and do not send it back', () => {
    const { actor, received, saved, snapshot } = startPreferences()
    actor.send({ type: 'preferences.changedElsewhere', preferences: { ...defaultPreferences, theme: 'light' } })
    expect(snapshot().context.shown.theme).toBe('light')
    expect(received).toEqual([])
    expect(saved).toEqual([])
  })
})
