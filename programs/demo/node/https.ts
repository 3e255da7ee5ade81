import { createNodeHttp } from '../../simulation/internet/node-http.ts'
import { internet, process } from '../world.ts'

export const { createServer } = createNodeHttp(process, internet)
