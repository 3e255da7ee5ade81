import type { JsonObject } from '../../../src/protocol/json.ts'
import type { Change, ClientDocument } from './document.ts'
import type { ReaderConnection } from './reader-connection.ts'
import type { SimulatedUnit } from './unit/simulated-unit.ts'

/** All connected readers of one client. Each gets the same change objects. */
export function createReaders(lives: readonly SimulatedUnit[], doc: () => ClientDocument) {
  const connections = new Set<ReaderConnection>()

  /** New frames are sent after the change of the frame count. */
  const sendFramesOf = (index: number): void => {
    const wire = doc().units[index]
    const unit = lives.find(each => each.wire === wire)
    if (unit !== undefined) for (const port of connections) port.sendNewFrames(unit)
  }

  return {
    ports: connections,
    sendChange: (change: Change): void => {
      for (const port of connections) port.send(change)
      if (connections.size > 0 && change[0] === 'units' && change[2] === 'frames') sendFramesOf(Number(change[1]))
    },
    sendHistoryRow: (row: JsonObject): void => {
      for (const port of connections) if (port.readsHistory()) port.send(['wus', -2, [row]])
    },
    scheduleLog: (): void => {
      for (const port of connections) port.scheduleLog()
    },
    close: (): void => {
      for (const port of connections) port.close()
      connections.clear()
    },
  }
}
