import type { AppRef } from './app/app.machine.ts'
import type { System } from './system.types.ts'

/** The rooms of a house: the live one, a replayed one, or one that a test has furnished. */
export const systemOf = (app: AppRef): System => {
  const child = <Key extends Exclude<keyof System, 'app'>>(name: Key): System[Key] => {
    const ref = app.getSnapshot().children[name]
    if (ref === undefined) throw new Error(`The app has no '${name}'.`)
    return ref as System[Key]
  }
  return {
    app,
    clock: child('clock'),
    preferences: child('preferences'),
    dialogs: child('dialogs'),
    connect: child('connect'),
    log: child('log'),
    signIn: child('signIn'),
    account: child('account'),
    verify: child('verify'),
    reset: child('reset'),
    donor: child('donor'),
    library: child('library'),
    series: child('series'),
    projects: child('projects'),
    relay: child('relay'),
    fleet: child('fleet'),
    history: child('history'),
    viewer: child('viewer'),
  }
}
