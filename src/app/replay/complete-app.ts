import { bringActors } from '../../machines/app/app/app.actors.ts'
import { appMachine } from '../../machines/app/app/app.machine.ts'
import { lateMachines } from '../../machines/app/late-machines.ts'

/** The app with all its machines: for replays, and to compare recordings with. */
export const completeApp = appMachine.provide({})
bringActors(completeApp, lateMachines)
