export { createSimulatedClient } from './client.ts'
export { demoProfiles, localProfile } from './profiles/demo.ts'
export type { NamedProfile } from './profiles/demo.ts'
export { fleetProfile } from './profiles/fleet.ts'
export { defaultProjects } from './projects.ts'
export { createSchedule, systemClock } from './schedule.ts'
export type {
  ClientProfile,
  ProjectSpec,
  Schedule,
  SimulatedClient,
} from './types.ts'
