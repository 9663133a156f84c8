// The extension module of one processor level.
#include "bind/bind.hpp"

namespace rookery {
namespace {

// Raises rookery.errors.<name>; the class is looked up when it is needed, errors are rare. A message may quote
// a part of a character; that part is shown as a replacement character.
void raise(const char* name, std::string_view message) {
    const nb::object error = nb::module_::import_("rookery.errors").attr(name);
    const auto text =
        nb::steal(PyUnicode_DecodeUTF8(message.data(), static_cast<Py_ssize_t>(message.size()), "replace"));
    PyErr_SetObject(error.ptr(), text.ptr());
}

void translate(const std::exception_ptr& error, void*) {
    try {
        std::rethrow_exception(error);
    } catch (const BadPosition& e) {
        raise("BadPosition", e.what());
    } catch (const BadNotation& e) {
        raise("BadNotation", e.what());
    } catch (const IllegalMove& e) {
        raise("IllegalMove", e.what());
    } catch (const BadOption& e) {
        raise("BadOption", e.what());
    } catch (const BadStore& e) {
        raise("BadStore", e.what());
    } catch (const BadEvaluation& e) {
        raise("EvaluationError", e.what());
    } catch (const Busy& e) {
        raise("PlayerBusy", e.what());
    } catch (const NoThread& e) {
        raise("NoThread", e.what());
    } catch (const Diverged& e) {
        raise("Diverged", e.what());
    } catch (const Interrupted& e) {
        raise("Interrupted", e.what());
    }
}

}  // namespace

NB_MODULE(ROOKERY_MODULE, m) {
    m.attr("level") = ROOKERY_LEVEL;
    m.attr("build") = ROOKERY_BUILD;
    nb::register_exception_translator(translate);
    Py_AtExit([] { interpreter_gone = true; });
    // A Python evaluator that a search holds may live until the interpreter ends; that is no news to a player.
    nb::set_leak_warnings(false);
    nb::class_<Playouts>(m, "Playouts")
        .def_ro("games", &Playouts::games)
        .def_ro("plies", &Playouts::plies)
        .def_ro("draws", &Playouts::draws)
        .def_ro("wins", &Playouts::wins);
    for (const auto bind : Binding::all()) bind(m);
}

}  // namespace rookery
