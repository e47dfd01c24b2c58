// The bounding box again, thread by thread: each says itself which cell it serves.
// With `cell` a block may have any shape: here rows of 64 threads.
Place threads(Domain) { return {64, 1, 1}; }

Place cell(Thread t, Domain) { return {t.x, t.y, t.z}; }
