// The layouter, which listens to messages of its own by itself.
import 'elkjs/lib/elk-worker.min.js'
