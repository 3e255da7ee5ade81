import type { AppRef } from './app/app.machine.ts'
import type { System } from './system.types.ts'

/**
 * The rooms of a house as they are when they are asked for, since one that failed is started again: the live one, a replayed one, or one that a test has furnished.
 */
export const systemOf = (app: AppRef): System => {
  const child = <Key extends Exclude<keyof System, 'app'>>(name: Key): System[Key] => {
    const ref = app.getSnapshot().children[name]
    if (ref === undefined) throw new Error(`The app has no '${name}'.`)
    return ref as System[Key]
  }
  return {
    app,
    get clock() {
      return child('clock')
    },
    get preferences() {
      return child('preferences')
    },
    get dialogs() {
      return child('dialogs')
    },
    get connect() {
      return child('connect')
    },
    get log() {
      return child('log')
    },
    get signIn() {
      return child('signIn')
    },
    get account() {
      return child('account')
    },
    get verify() {
      return child('verify')
    },
    get reset() {
      return child('reset')
    },
    get donor() {
      return child('donor')
    },
    get library() {
      return child('library')
    },
    get series() {
      return child('series')
    },
    get projects() {
      return child('projects')
    },
    get relay() {
      return child('relay')
    },
    get fleet() {
      return child('fleet')
    },
    get history() {
      return child('history')
    },
    get viewer() {
      return child('viewer')
    },
  }
}
