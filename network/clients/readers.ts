import type { JsonObject } from '../../src/protocol/json.ts'
import type { Change, ClientDocument } from './document.ts'
import type { Port } from './port.ts'
import type { UnitLife } from './unit/unit-life.ts'

/** All readers of one client: each change goes to all of them, as one object. */
export const createReaders = (lives: readonly UnitLife[], doc: () => ClientDocument) => {
  const ports = new Set<Port>()

  /** New frames follow the change that counts them. */
  const tellFrames = (index: number): void => {
    const wire = doc().units[index]
    const life = lives.find(each => each.wire === wire)
    if (life !== undefined) for (const port of ports) port.noticeFrames(life)
  }

  return {
    ports,
    tell: (change: Change): void => {
      for (const port of ports) port.send(change)
      if (ports.size > 0 && change[0] === 'units' && change[2] === 'frames') tellFrames(Number(change[1]))
    },
    tellRow: (row: JsonObject): void => {
      for (const port of ports) if (port.readsHistory()) port.send(['wus', -2, [row]])
    },
    noticeLog: (): void => {
      for (const port of ports) port.noticeLog()
    },
    close: (): void => {
      for (const port of ports) port.close()
      ports.clear()
    },
  }
}
