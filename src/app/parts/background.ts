/* What begins some seconds after the first picture, on every page. One file, since each `import()` of another is a request. */
export { openIncidentDatabase } from '../../actors/incidents/incident-store.ts'
export { noteVersion } from '../../actors/offline/kept-version.ts'
export { openRecordDatabase } from '../../actors/records/record-store.ts'
export { bulkMachines } from './bulk.ts'
export { incidentMachines } from './incidents.ts'
export { recordMachines } from './records.ts'
