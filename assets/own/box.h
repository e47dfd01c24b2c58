// The bounding box: a launched block serves the block of cells at its own place.
// Blocks that hold no cell are wasted: compare their share with that of lambda.h.
Place place(Block b, Domain) { return {b.x, b.y, b.z}; }
