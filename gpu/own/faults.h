// What the checked code of an own map calls where a statement has no meaning; read at its end, by C++ compilers alone.
// The names are those that -fsanitize=undefined calls, here without its library: a host is told, and ends.

extern "C" {
/// Set by the host, which ends in it. `what` begins with the kind.
__attribute__((visibility("default"))) void (*own_fault)(const char* what) = nullptr;
}

#define WARPLOOM_OWN_FAULT(name, what)                                                    \
  extern "C" __attribute__((noinline, noreturn)) void __ubsan_handle_##name(void*, ...) { \
    if (own_fault) own_fault(what);                                                       \
    __builtin_trap();                                                                     \
  }
#define WARPLOOM_OWN_FAULTS(name, what) WARPLOOM_OWN_FAULT(name, what) WARPLOOM_OWN_FAULT(name##_abort, what)

WARPLOOM_OWN_FAULTS(divrem_overflow, "division:division by zero")
WARPLOOM_OWN_FAULTS(out_of_bounds, "bounds:an index past the end of an array")
WARPLOOM_OWN_FAULTS(shift_out_of_bounds, "undefined:a shift by more bits than there are")
WARPLOOM_OWN_FAULTS(add_overflow, "undefined:a sum too large for its type")
WARPLOOM_OWN_FAULTS(sub_overflow, "undefined:a difference too large for its type")
WARPLOOM_OWN_FAULTS(mul_overflow, "undefined:a product too large for its type")
WARPLOOM_OWN_FAULTS(negate_overflow, "undefined:a number whose opposite is too large for its type")
WARPLOOM_OWN_FAULTS(float_cast_overflow, "undefined:a number too large for the type it becomes")
WARPLOOM_OWN_FAULTS(type_mismatch_v1, "address:a pointer to nothing")
WARPLOOM_OWN_FAULTS(pointer_overflow, "address:a pointer past all memory")
WARPLOOM_OWN_FAULTS(alignment_assumption, "address:a pointer to no such value")
WARPLOOM_OWN_FAULTS(nonnull_arg, "address:a pointer to nothing")
WARPLOOM_OWN_FAULTS(nonnull_return_v1, "address:a pointer to nothing")
WARPLOOM_OWN_FAULTS(nullability_arg, "address:a pointer to nothing")
WARPLOOM_OWN_FAULTS(load_invalid_value, "undefined:a value that is none of its type")
WARPLOOM_OWN_FAULTS(vla_bound_not_positive, "bounds:an array of no length")
WARPLOOM_OWN_FAULTS(invalid_builtin, "undefined:zero has no such bit")
WARPLOOM_OWN_FAULTS(function_type_mismatch, "undefined:a call of another kind of function")
WARPLOOM_OWN_FAULT(builtin_unreachable, "undefined:a place that cannot be reached")
WARPLOOM_OWN_FAULT(missing_return, "undefined:no value is returned")
