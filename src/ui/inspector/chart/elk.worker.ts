// The layout library installs its own message handler.
import 'elkjs/lib/elk-worker.min.js'
